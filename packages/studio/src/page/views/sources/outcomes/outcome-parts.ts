import type { OutcomesAnswer } from '@sluice/http'
import type { BalancePart } from '../../../parts/charts/balance-parts.ts'
import type { EventState } from '../../../parts/event-state.ts'

/** What became of events at one destination. */
export type DestinationOutcomes = OutcomesAnswer['destinations'][number]
type Unreached = DestinationOutcomes['notReached'][number]

/** Name and state of each reason; a `Record`, so that one that is added does not compile until it is named. */
const shown: Readonly<Record<Unreached['why'], readonly [name: string, state: EventState]>> = {
  notConnected: ['Not connected', 'idle'],
  disabled: ['Switched off', 'idle'],
  permission: ['Not allowed', 'guard'],
  plan: ['Tracking plan', 'note'],
  transformation: ['Dropped by the transformation', 'idle'],
  unsupported: ['Type not supported', 'idle'],
  settings: ['Left out by the settings', 'idle'],
  mapping: ['Nothing to send', 'idle'],
  stage: ['Dropped by an own stage', 'idle'],
  failed: ['Failed', 'bad'],
}
const halts: Readonly<Record<DestinationOutcomes['state'], string>> = {
  enabled: 'Waiting',
  failing: 'Waiting, because it fails',
  paused: 'Waiting, because it is paused',
  disabled: 'Waiting, although it is off',
  deleted: 'Waiting, although it is gone',
}

/**
 * Returns the parts of all events at a destination: delivered, waiting, and one for each reason.
 * @param failedHref address of what failed there.
 */
export function outcomeParts(
  { state, delivered, waiting, notReached }: DestinationOutcomes,
  failedHref: string,
): readonly BalancePart[] {
  return [
    { name: 'Delivered', value: delivered, state: 'good' },
    ...(waiting > 0 ? [{ name: halts[state], value: waiting, state: 'wait' as const }] : []),
    ...notReached.map((each) => partOf(each, failedHref)),
  ]
}

function partOf(reason: Unreached, failedHref: string): BalancePart {
  const { why, outcome, versionId, code, events: value } = reason
  const version = versionId === undefined ? '' : ` (version ${versionId.slice(0, 8)})`
  const cause = code === undefined ? '' : `: ${code}`
  const isFailure = outcome === 'failed' || why === 'failed'
  const [name, state] = shown[why]
  const title = why === 'transformation' && isFailure ? 'The transformation failed' : name
  const part = { name: `${title}${cause}${version}`, value, state: isFailure ? 'bad' : state } as const
  return isFailure ? { ...part, href: failedHref } : part
}
