"""The Python client of Debian against a server: `client_python.py KUBECONFIG`. Prints a line for each part that held."""
import sys
import threading
import time

from kubernetes import client, config, dynamic, utils, watch
from kubernetes.client.rest import ApiException

config.load_kube_config(sys.argv[1])
api = client.ApiClient()
core, apps, custom = client.CoreV1Api(), client.AppsV1Api(), client.CustomObjectsApi()
Meta = client.V1ObjectMeta
NS = "python"


def until(condition, what):
    for _ in range(600):
        if condition():
            return
        time.sleep(0.1)
    raise AssertionError(what)


def refused(status, call, *args, **more):
    try:
        call(*args, **more)
    except ApiException as e:
        assert e.status == status, e
        return
    raise AssertionError(f"{call.__name__} was not refused")


def typed():
    core.create_namespace(client.V1Namespace(metadata=Meta(name=NS)))
    new = client.V1ConfigMap(metadata=Meta(name="m", labels={"a": "b"}), data={"k": "v"}, binary_data={"b": "aGk="})
    made = core.create_namespaced_config_map(NS, new)
    refused(409, core.create_namespaced_config_map, NS, new)
    made.data = {"k": "w"}
    assert core.replace_namespaced_config_map("m", NS, made).data == {"k": "w"}
    assert core.patch_namespaced_config_map("m", NS, {"data": {"l": "x"}}).data == {"k": "w", "l": "x"}
    assert core.patch_namespaced_config_map("m", NS, [{"op": "remove", "path": "/data/k"}]).data == {"l": "x"}
    assert [m.metadata.name for m in core.list_namespaced_config_map(NS, label_selector="a=b").items] == ["m"]
    core.delete_namespaced_config_map("m", NS)
    refused(404, core.read_namespaced_config_map, "m", NS)


def paged():
    for i in range(12):
        core.create_namespaced_secret(NS, client.V1Secret(metadata=Meta(name=f"s{i:02}"), string_data={"a": "b"}))
    names, more = [], None
    while more != "":
        page = core.list_namespaced_secret(NS, limit=5, _continue=more)
        names += [s.metadata.name for s in page.items]
        more = page.metadata._continue or ""
    assert names == [f"s{i:02}" for i in range(12)], names


def watched():
    seen, since = [], core.list_namespaced_service(NS).metadata.resource_version

    def follow():
        w = watch.Watch()
        for event in w.stream(core.list_namespaced_service, NS, resource_version=since, timeout_seconds=60):
            seen.append(event["type"])
            if event["type"] == "DELETED":
                w.stop()

    follower = threading.Thread(target=follow)
    follower.start()
    core.create_namespaced_service(
        NS, client.V1Service(metadata=Meta(name="s"), spec=client.V1ServiceSpec(ports=[client.V1ServicePort(port=80)]))
    )
    core.patch_namespaced_service("s", NS, {"metadata": {"labels": {"a": "b"}}})
    core.delete_namespaced_service("s", NS)
    follower.join(60)
    assert seen == ["ADDED", "MODIFIED", "DELETED"], seen


DOCUMENTS = [
    {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "d"}, "spec": {
        "selector": {"matchLabels": {"a": "b"}},
        "template": {"metadata": {"labels": {"a": "b"}}, "spec": {"containers": [{"name": "c", "image": "i"}]}}}},
    {"apiVersion": "batch/v1", "kind": "CronJob", "metadata": {"name": "c"}, "spec": {
        "schedule": "*/5 * * * *", "jobTemplate": {"spec": {"template": {"spec": {
            "restartPolicy": "Never", "containers": [{"name": "c", "image": "i"}]}}}}}},
    {"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "Role", "metadata": {"name": "r"},
     "rules": [{"apiGroups": [""], "resources": ["pods"], "verbs": ["get"]}]},
]


def documents():
    utils.create_from_yaml(api, yaml_objects=DOCUMENTS, namespace=NS)
    scale = apps.read_namespaced_deployment_scale("d", NS)
    scale.spec.replicas = 3
    assert apps.replace_namespaced_deployment_scale("d", NS, scale).spec.replicas == 3
    apps.patch_namespaced_deployment_status("d", NS, {"status": {"replicas": 2}})
    read = apps.read_namespaced_deployment_status("d", NS)
    assert (read.spec.replicas, read.status.replicas) == (3, 2)


def customs():
    schema = client.V1JSONSchemaProps(
        type="object", properties={"spec": client.V1JSONSchemaProps(
            type="object", properties={"n": client.V1JSONSchemaProps(type="integer", minimum=0)})}
    )
    version = client.V1CustomResourceDefinitionVersion(
        name="v1", served=True, storage=True, schema=client.V1CustomResourceValidation(open_apiv3_schema=schema)
    )
    definitions, name = client.ApiextensionsV1Api(), "things.python.example.com"
    definitions.create_custom_resource_definition(client.V1CustomResourceDefinition(
        metadata=Meta(name=name),
        spec=client.V1CustomResourceDefinitionSpec(
            group="python.example.com", scope="Namespaced", versions=[version],
            names=client.V1CustomResourceDefinitionNames(plural="things", kind="Thing")),
    ))
    until(lambda: any(
        c.type == "Established" and c.status == "True"
        for c in definitions.read_custom_resource_definition(name).status.conditions or []
    ), "the definition is not served")
    at = ("python.example.com", "v1", NS, "things")
    body = {"apiVersion": "python.example.com/v1", "kind": "Thing", "metadata": {"name": "t"}, "spec": {"n": 1}}
    custom.create_namespaced_custom_object(*at, body)
    assert custom.patch_namespaced_custom_object(*at, "t", {"spec": {"n": 2}})["spec"] == {"n": 2}
    refused(422, custom.patch_namespaced_custom_object, *at, "t", {"spec": {"n": -1}})
    things = dynamic.DynamicClient(api).resources.get(api_version="python.example.com/v1", kind="Thing")
    assert [t.spec.n for t in things.get(namespace=NS).items] == [2]
    definitions.delete_custom_resource_definition(name)


def identities():
    until(lambda: core.list_namespaced_service_account(NS).items, "no service account")
    spec = client.V1TokenRequestSpec(audiences=[])
    token = core.create_namespaced_service_account_token("default", NS, client.AuthenticationV1TokenRequest(spec=spec))
    review = client.AuthenticationV1Api().create_token_review(
        client.V1TokenReview(spec=client.V1TokenReviewSpec(token=token.status.token))
    )
    assert review.status.user.username == f"system:serviceaccount:{NS}:default"
    by_token = client.Configuration.get_default_copy()
    by_token.cert_file = by_token.key_file = None
    by_token.api_key = {"authorization": f"Bearer {token.status.token}"}
    refused(403, client.CoreV1Api(client.ApiClient(by_token)).list_node)


def gone():
    core.delete_namespace(NS)

    def missing():
        try:
            core.read_namespace(NS)
        except ApiException as e:
            return e.status == 404
        return False

    until(missing, "the namespace stays")


for part in (typed, paged, watched, documents, customs, identities, gone):
    part()
    print(part.__name__)
