import type { DestinationCircuit } from '@sluice/pipeline'
import type { Sample } from './telemetry/metric-table.ts'

/** What one of several processes of a server answers about itself. */
export interface ProcessAnswers {
  /** Its figures, of all workspaces: what is not the same in all processes. */
  samples(): Promise<readonly Sample[]>
  /** `ok`, or why requests should not be sent to it: as `GET /ready`. */
  health(): string
  /** The circuits of all destinations, by workspace. */
  circuits(): Readonly<Record<string, readonly DestinationCircuit[]>>
}

/** A process that does not work normally. */
export interface UnwellProcess {
  /** Counted from 1. */
  readonly process: number
  /** `starting`, `noAnswer`, or the reason that `GET /ready` of the process would have. */
  readonly reason: string
}

/**
 * The processes of one server, which answer on the same port: any of them shows the figures of all. The questions end within
 * a bound of time; a process that has not answered by then is named.
 */
export interface Siblings {
  /** Registers what this process answers when one asks. */
  answerWith(answers: ProcessAnswers): void
  /** Returns the figures of all processes, joined. */
  samples(): Promise<readonly Sample[]>
  /** Returns the other processes that do not work normally. */
  unwell(): Promise<readonly UnwellProcess[]>
  /** Returns the circuits of a workspace, joined: the worst state counts. */
  circuits(workspaceId: string): Promise<readonly DestinationCircuit[]>
}
