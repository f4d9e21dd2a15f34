import type { DestinationCircuit } from '@sluice/pipeline'
import type { UnwellProcess } from '../../../../siblings.ts'
import type { Sample } from '../../../../telemetry/metric-table.ts'
import type { ServePorts } from '../listen/serve-ports.ts'

/** What one process asks all, and what each answers. */
export interface Answers {
  readonly samples: readonly Sample[]
  readonly health: string
  readonly circuits: Readonly<Record<string, readonly DestinationCircuit[]>>
}

export type Question = keyof Answers

/** What the process that has asked receives. */
export interface Replies {
  readonly samples: readonly Sample[]
  readonly health: readonly UnwellProcess[]
  readonly circuits: readonly Answers['circuits'][]
}

/** What came of applying the workspace file again. */
export interface Reloaded {
  readonly isApplied: boolean
  /** For the operator. */
  readonly text: string
}

/** What the supervisor sends to a process. */
export type MessageToProcess =
  | { readonly kind: 'ping' }
  /** End in order. */
  | { readonly kind: 'stop' }
  /** Apply the workspace file again; answered with `reloaded`. */
  | { readonly kind: 'reload' }
  | { readonly kind: 'question'; readonly id: number; readonly question: Question }
  | { readonly kind: 'reply'; readonly id: number; readonly reply: Replies[Question] }

/** What a process sends to the supervisor. */
export type MessageToSupervisor =
  /** It has begun to listen to messages. */
  | { readonly kind: 'listens' }
  | { readonly kind: 'pong' }
  /** It takes requests. `lines` are for the operator, printed once for the server. */
  | { readonly kind: 'serving'; readonly lines: readonly string[] }
  /** It cannot start, for a reason that the operator can mend. */
  | { readonly kind: 'refused'; readonly text: string; readonly exitStatus: number }
  | ({ readonly kind: 'reloaded' } & Reloaded)
  | { readonly kind: 'ask'; readonly id: number; readonly question: Question }
  | { readonly kind: 'answer'; readonly id: number; readonly answer: Answers[Question] }

/** What a process learns at its start, in the variable of the environment `processVariable`. */
export interface ProcessPlace {
  /** Counted from 1; a process that is started again has the number of the one before. */
  readonly number: number
  readonly of: number
  /** The ports that all share. */
  readonly ports: ServePorts
  /** Whether the output of the server is a terminal. That of a process is a pipe. */
  readonly isTerminal: boolean
}

export const processVariable = 'SLUICE_PROCESS'
