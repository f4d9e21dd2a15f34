import type { Event, JsonObject, Library, Outcome, StageError } from '@sluice/core'
import type { RunContext } from './guest-api.ts'

/** Code and the libraries it may import: all that a program is made of. */
export interface ProgramSource {
  /** Shown in error messages and stack frames, so that people know whose line 3 is meant. */
  readonly name: string
  /** An ES module that exports exactly one of `transformEvent` and `transformBatch`. */
  readonly code: string
  /** Imported by stored name or by its camel case; loaded only when imported, also by other libraries. */
  readonly libraries: readonly Library[]
}

/** One event for user code, with what `metadata(event)` answers about it (see metadataKeys). */
export interface GuestInput {
  readonly event: Event
  readonly metadata: JsonObject
}

/** What one batch came to. */
export interface ProgramRun {
  /** One per input, in input order. */
  readonly outcomes: readonly Outcome<Event>[]
  /** The lines user code logged, in order. */
  readonly log: readonly string[]
  /** What the outcomes take, more or less: their JSON text, with 32 bytes at least for each value. */
  readonly bytes: number
}

/** Loaded user code. It holds no state between two runs. */
export interface Program {
  /**
   * Runs one batch; what its events share is what the isolation of the sandbox says. After a time-out or a memory
   * failure the rest of the batch goes on with the module as it was loaded; an event that then waited for the host, or
   * whose result was lost, runs once more. Batches of one sandbox run one after the other, in the order of the calls.
   *
   * Returned objects are read in groups. A program whose events share objects among what they return is found out, run
   * once more (unless it has called the host by then) and read event by event from there on.
   *
   * @param signal looked at before each event, and while events wait for the host.
   * @param context what host functions may know about this run.
   * @throws the abort reason once `signal` is aborted: what was under way then counts for nothing; InvariantError when
   * the sandbox is closed.
   */
  run(inputs: readonly GuestInput[], signal: AbortSignal, context?: RunContext): Promise<ProgramRun>
}

/** The error has the code `transform.load`. */
export type CompileResult =
  | { readonly ok: true; readonly program: Program }
  | { readonly ok: false; readonly error: StageError }

/** The outcome of an event for which user code returned null, undefined or an empty array. */
export const nothingReturned = 'transformation returned nothing'
