/** A folder of manifests as one text, so that it can be followed like a file. */

/** One file of it. */
export interface ManifestFile {
  readonly name: string;
  readonly text: string;
}

/** Files whose names end so are manifests, whatever the case. */
const ENDINGS = [".yaml", ".yml", ".json"];

/** Whether a file of that name is a manifest. */
export const isManifest = (name: string): boolean => ENDINGS.some((ending) => name.toLowerCase().endsWith(ending));

/** The text of a folder with these files, in the order of their names. */
export const folderText = (files: readonly ManifestFile[]): string =>
  JSON.stringify([...files].sort((a, b) => a.name < b.name ? -1 : 1));

/** The files of a text that {@linkcode folderText} made. */
export const filesOf = (text: string): readonly ManifestFile[] => JSON.parse(text);

/** The documents of a file. */
export const documentsOf = ({ text }: ManifestFile): readonly string[] => text.split(/^---[ \t]*(?:#.*)?$/m);
