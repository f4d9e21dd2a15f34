import type { Event, JsonObject, Library, Outcome, StageError } from '@sluice/core'
import type { RunContext } from './guest-api.ts'

/** Code and the libraries it may import. */
export interface ProgramSource {
  /** Shown in error messages and stack frames, to identify the code. */
  readonly name: string
  /** An ES module that exports exactly one of `transformEvent` and `transformBatch`. */
  readonly code: string
  /**
   * Imported by stored name or by its camel case. Only those imported, by the code or by other libraries, are loaded.
   */
  readonly libraries: readonly Library[]
}

/** An event for user code, with the result of `metadata(event)` (see metadataKeys). */
export interface GuestInput {
  readonly event: Event
  readonly metadata: JsonObject
}

/** Result of one batch. */
export interface ProgramRun {
  /** One per input, in input order. */
  readonly outcomes: readonly Outcome<Event>[]
  /**
   * For outputs that may have been made of several inputs: the indexes of these inputs. Left out, and for outputs that
   * are not in it, the input that the outcome is for.
   */
  readonly origins?: ReadonlyMap<Event, readonly number[]>
  /** The lines that user code logged, in order. */
  readonly log: readonly string[]
  /** Approximate size of the outcomes: their JSON text, but at least 32 bytes for each value. */
  readonly bytes: number
}

/** Loaded user code. It keeps no state between two runs, except with isolation `none`. */
export interface Program {
  /**
   * Runs one batch. The isolation of the sandbox determines which state its events share. After a time-out or a memory
   * failure the rest of the batch continues with the module as it was loaded; events that were waiting for the host at
   * that time, or whose results were lost, run again. Batches of one sandbox run one after another, in the order of the
   * calls.
   *
   * Returned objects are read in groups. If events of a program return shared objects, this is detected: the batch runs
   * again (unless it has already called the host), and the program's events are read one by one from then on.
   *
   * @param signal checked before each event, and while events wait for the host.
   * @param context values for host functions during this run.
   * @throws the abort reason once `signal` is aborted, discarding the results so far; InvariantError when the sandbox
   * is closed.
   */
  run(inputs: readonly GuestInput[], signal: AbortSignal, context?: RunContext): Promise<ProgramRun>
}

/** The error has the code `transform.load`. */
export type CompileResult =
  | { readonly ok: true; readonly program: Program }
  | { readonly ok: false; readonly error: StageError }

/** Drop reason of an event for which user code returned null, undefined or an empty array. */
export const nothingReturned = 'transformation returned nothing'
