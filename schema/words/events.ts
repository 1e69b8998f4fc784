/** Events, in words. */
export const EVENTS = `
Event: A note that something happened to an object, kept for a short time only. Meant for people and as a help in
    searching for faults; do not build decisions on it. Through this API group only
    series and metadata of a stored event can be changed.
  eventTime: When it was first seen, to the microsecond. Required for new events.
  series: Count and last time, when the same thing has happened again and again. Left out for a single event.
  reportingController: Name of the component that reports, possibly with a domain prefix. Required for new events.
  reportingInstance: Which copy of the component reports, such as the name of its pod. Required for new events; at most
    128 characters.
  action: What was done or failed, as one word for programs. Required for new events; at most 128 characters.
  reason: Why it was done, as a short word such as BackOff. Required for new events; at most 128 characters.
  regarding: The object that the event is about. Normally it lies in the namespace of the event. If it has
    none, the event must lie in default or in the system namespace.
  related: A second object that has to do with it, such as a pod that the first one created.
  note: What happened, in a sentence for people. At most 1024 characters when written; readers should cope with more.
  type: Normal or Warning. Required for new events; readers should expect others in future.
  deprecatedSource: Reporting component and host as the core API group has them. Must be empty in new events.
  deprecatedFirstTimestamp: First time of the event as the core API group has it. Must be empty in new events.
  deprecatedLastTimestamp: Last time of the event as the core API group has it. Must be empty in new events.
  deprecatedCount: Number of times as the core API group counts them. Must be empty in new events.
EventSeries: How often and until when an event has repeated.
  count: Number of times so far, at least 2. Brought up to date by the reporter now and then.
  lastObservedTime: When it was last seen, to the microsecond.
`;
