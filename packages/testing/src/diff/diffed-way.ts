import type { Event } from '@sluice/core'
import type { EventEnding, OfflineDestination, Subject } from '../run/offline-run.ts'

/** One way of events: the code that runs on them, and the destination that they are mapped for. */
export interface DiffSide {
  /** Without it, events are mapped as they are. */
  readonly subject?: Subject
  /** Without it, what user code returns is compared. With a place, only events of its connected sources come here. */
  readonly destination?: OfflineDestination
  /** What became of an event at an earlier time: then nothing runs on this side. Undefined where the event did not come. */
  readonly recorded?: (event: Event) => EventEnding | undefined
}

/** A way before and after the change. Absent on one side: it is new, or gone. */
export interface DiffedWay {
  /** Name of the destination in the report. */
  readonly destination?: string
  readonly before: DiffSide | undefined
  readonly after: DiffSide | undefined
}
