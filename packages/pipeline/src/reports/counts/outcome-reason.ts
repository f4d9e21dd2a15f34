import type { StageError } from '@sluice/core'
import { listReasons, nothingToSend, unsupportedReason } from '@sluice/destinations/kit'

/**
 * Why an event did not reach a destination:
 * `notConnected`: its source was not connected with it, and the event was not replayed to it since;
 * `disabled`: the destination was switched off, or deleted;
 * `permission`: its sender, the consents of its user or a regulation do not allow it;
 * `plan`: it violates the tracking plan;
 * `transformation`: user code dropped it, or failed;
 * `unsupported`: the destination does not take events of its type;
 * `settings`: the event lists in the settings of the destination leave it out;
 * `mapping`: there was nothing in it that the destination takes;
 * `stage`: a stage of the embedding program dropped it;
 * `failed`: it could not be mapped or delivered, and is a dead letter or was one.
 */
export const outcomeReasons = [
  'notConnected',
  'disabled',
  'permission',
  'plan',
  'transformation',
  'unsupported',
  'settings',
  'mapping',
  'stage',
  'failed',
] as const

export type OutcomeWhy = (typeof outcomeReasons)[number]

/** A reason with what distinguishes it. */
export interface OutcomeReason {
  readonly why: OutcomeWhy
  /** Whether a transformation dropped the event, or failed. */
  readonly outcome?: 'dropped' | 'failed'
  /** Version of the transformation. */
  readonly versionId?: string
  /** Code of the error, where the event failed. */
  readonly code?: string
}

interface Ending {
  readonly outcome: 'delivered' | 'dropped' | 'failed'
  readonly stage: string
  readonly reason?: string | undefined
  readonly error?: StageError | undefined
}

/**
 * The reason under which events are counted that may not be sent. Suppressed ones are part of it and are counted without their
 * name, so that no count by name is that of a person.
 */
export const notAllowed = 'permission'

const byStage: Readonly<Record<string, OutcomeWhy>> = {
  connect: 'disabled',
  permission: notAllowed,
  'tracking-plan': 'plan',
  'user-transform': 'transformation',
}
const byReason: ReadonlyMap<string | undefined, OutcomeWhy> = new Map<string | undefined, OutcomeWhy>([
  [unsupportedReason, 'unsupported'],
  [listReasons.allow, 'settings'],
  [listReasons.deny, 'settings'],
  [nothingToSend, 'mapping'],
])

/** Returns the reason under which an event is counted by its name: no text of user code or of an event. */
export function outcomeReason({ outcome, stage, reason, error }: Ending, versionId: string | undefined): string {
  if (outcome === 'delivered') return ''
  const why = outcome === 'failed' ? failedIn(stage) : droppedIn(stage, reason)
  if (why === 'transformation') return `${why} ${error?.code ?? ''} ${versionId ?? ''}`
  return why === 'failed' ? `${why} ${error?.code ?? ''}` : why
}

/** Parses what `outcomeReason` returned. */
export function parseReason(text: string, outcome: 'dropped' | 'failed'): OutcomeReason {
  const [why = '', code = '', ...rest] = text.split(' ')
  const versionId = rest.join(' ')
  return {
    why: outcomeReasons.find((known) => known === why) ?? 'stage',
    ...(why === 'transformation' ? { outcome } : {}),
    ...(versionId === '' ? {} : { versionId }),
    ...(code === '' ? {} : { code }),
  }
}

function failedIn(stage: string): OutcomeWhy {
  return stage === 'user-transform' ? 'transformation' : 'failed'
}

function droppedIn(stage: string, reason: string | undefined): OutcomeWhy {
  const known = byStage[stage] ?? byReason.get(reason)
  if (known !== undefined) return known
  // The destination transform checks again what user code returned: see `createEventFilter`.
  return stage === 'destination-transform' || stage === 'deliver' ? notAllowed : 'stage'
}
