import { printable } from '@sluice/core/printable'
import { table } from '@sluice/core/table'
import type { OutcomesAnswer } from '@sluice/http'
import { printLine } from '../../terminal/print-line.ts'
import { askServer, type ServerFlags } from '../ask-server.ts'

export interface WhyFlags extends ServerFlags {
  readonly source: string
  readonly event?: string
  readonly type?: string
  readonly day?: string
  readonly destination?: string
}

type At = OutcomesAnswer['destinations'][number]
type Unreached = At['notReached'][number]

const number = new Intl.NumberFormat('en-US')
/** Names that are listed where none is chosen: the most frequent. */
const namesMax = 20

/** What each reason means; a `Record`, so that one that is added does not compile until it is explained. */
const meanings: Readonly<Record<Unreached['why'], string>> = {
  notConnected: 'the source was not connected with it',
  disabled: 'the destination was switched off or deleted',
  permission: 'the sender, a consent or a regulation does not allow it',
  plan: 'it violates the tracking plan',
  transformation: 'the transformation',
  unsupported: 'the destination does not take this type',
  settings: 'the event lists in the settings leave it out',
  mapping: 'nothing in it is for this destination',
  stage: 'a stage of the embedding program dropped it',
  failed: 'failed',
}

/** Runs `sluice why`. */
export async function showWhy({ source, event, type, day, destination, ...flags }: WhyFlags): Promise<void> {
  const query = new URLSearchParams({ source })
  for (const [name, value] of Object.entries({ event, type, day, destination }))
    if (value !== undefined) query.set(name, value)
  const outcomes = await askServer<OutcomesAnswer>(flags, 'GET', `/v2/outcomes?${query}`)
  printLine(flags.json ? JSON.stringify(outcomes, null, 2) : whyText(outcomes))
}

function whyText({ sourceId, day, type, event, accepted, suppressed, names, destinations }: OutcomesAnswer): string {
  const name = type === undefined ? 'all events' : printable(event || type)
  const counts = `${number.format(accepted)} accepted${suppressed > 0 ? `, ${number.format(suppressed)} of any name suppressed` : ''}`
  return [
    `${name} of source ${printable(sourceId)} on ${day} (UTC): ${counts}`,
    '',
    table(
      [
        ['destination', 'delivered', 'not reached', 'waiting', 'replayed'],
        ...destinations.map((at) => [
          printable(at.destinationId),
          ...[at.delivered, missedAt(at), at.waiting, at.replayed].map((count) => number.format(count)),
        ]),
      ],
      1,
    ),
    ...destinations.flatMap(reasonLines),
    ...(type === undefined && names.length > 0 ? ['', 'Events', ...nameLines(names)] : []),
  ].join('\n')
}

const missedAt = ({ notReached }: At): number => notReached.reduce((sum, { events }) => sum + events, 0)

function reasonLines(at: At): readonly string[] {
  const { destinationId, state, notReached, waiting } = at
  const halts = {
    paused: 'it is paused',
    failing: 'it fails',
    disabled: 'it is switched off',
    deleted: 'it is deleted',
  }
  const why = state === 'enabled' ? 'on their way' : halts[state]
  const rows = [
    ...notReached.map((each) => [number.format(each.events), meaningOf(each)] as const),
    ...(waiting > 0 ? [[number.format(waiting), `waiting: ${why}`] as const] : []),
  ]
  if (rows.length === 0) return []
  const width = Math.max(...rows.map(([count]) => count.length))
  return ['', printable(destinationId), ...rows.map(([count, text]) => `  ${count.padStart(width)} × ${text}`)]
}

function meaningOf({ why, outcome, versionId, code }: Unreached): string {
  const version = versionId === undefined ? '' : ` (version ${printable(versionId)})`
  const cause = code === undefined ? '' : `: ${printable(code)}`
  if (why !== 'transformation') return `${meanings[why]}${cause}`
  return `${meanings[why]} ${outcome === 'failed' ? 'failed' : 'dropped it'}${version}${cause}`
}

function nameLines(names: OutcomesAnswer['names']): readonly string[] {
  const shown = names.slice(0, namesMax)
  const width = Math.max(...shown.map(({ accepted }) => number.format(accepted).length))
  const rest = names.length - shown.length
  return [
    ...shown.map((each) => `  ${number.format(each.accepted).padStart(width)} × ${printable(each.event || each.type)}`),
    ...(rest > 0 ? [`  and ${rest} more; --json lists them`] : []),
  ]
}
