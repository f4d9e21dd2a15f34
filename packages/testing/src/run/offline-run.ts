import type { Destination, Event, JsonObject, Library, StageError, Workspace } from '@sluice/core'
import type { DeliveryRequest, DestinationDefinition } from '@sluice/destinations'
import type { GuestFetch } from '@sluice/sandbox'

/** The code to run, with the libraries it may import. */
export interface Subject {
  /** Shown in errors and stack frames. */
  readonly name: string
  readonly code: string
  readonly libraries?: readonly Library[]
  /** Files of its code, for coverage and profiles. */
  readonly files?: SubjectFiles
}

/** Names of a subject's code in reports. Default: its own names. */
export interface SubjectFiles {
  readonly main?: string
  /** By name of the library. */
  readonly libraries?: Readonly<Record<string, string>>
}

/** A destination for the events; requests are created but not sent. */
export interface OfflineDestination {
  readonly definition: DestinationDefinition
  /** Complete and valid: the result of `parseSettings`; with a place, those of its destination. */
  readonly settings: JsonObject
  /** Where it is defined. Left out, no tracking plan and no settings of a connection apply. */
  readonly place?: OfflinePlace
}

/**
 * A destination in its workspace: the tracking plans of its sources, the credentials and the settings of its connections
 * apply, and its own transformation runs in place of the subject.
 */
export interface OfflinePlace {
  readonly workspace: Workspace
  readonly destination: Destination
}

/** Conditions of one run besides its events. Absent members are as in production. */
export interface RunConditions {
  /** Time seen by user code, in milliseconds since the epoch; it stands still for the whole run. */
  readonly now?: number
  /** Makes Math.random and uuids of user code repeatable. */
  readonly seed?: number
  /** Values of `getCredential`. */
  readonly credentials?: Readonly<Record<string, string>>
  /** Implements `fetch` and `fetchV2` of user code. Default: that of the runner, which refuses unless configured. */
  readonly fetch?: GuestFetch
  /** Additional metadata for `metadata(event)`. */
  readonly metadata?: JsonObject
  readonly destination?: OfflineDestination
  /** Returns the id of the source of an event; undefined where it is not known. Default: the only one of the destination. */
  readonly sourceOf?: (event: Event) => string | undefined
  /** Runs work that holds the thread when it is its turn. Default: immediately. */
  readonly inTurn?: <T>(work: () => T) => Promise<T>
}

/** Result of one event. */
export interface EventEnding {
  readonly outcome: 'passed' | 'dropped' | 'failed'
  /** Outputs of user code, in order; the event itself without user code. */
  readonly output: readonly Event[]
  /** Requests that would be sent, in order; only with a destination. */
  readonly requests?: readonly DeliveryRequest[]
  /** Why it was dropped. */
  readonly reason?: string
  /** What the event violates of the tracking plan of its source, whatever the plan does with it. Absent: nothing. */
  readonly violations?: readonly string[]
  /** Error as in production; the message includes the places in user code, one per line. */
  readonly error?: StageError
}

export interface OfflineRun {
  /** One per event, in order. */
  readonly endings: readonly EventEnding[]
  /** Lines that user code logged, in order. */
  readonly log: readonly string[]
  readonly timeMs: number
}

/** The code cannot be loaded, so nothing was run. The message is that of production. */
export class OfflineLoadError extends Error {
  override readonly name = 'OfflineLoadError'
}
