import { errorTraits, identifierText } from '@sluice/core'
import { keptEntriesMax, type Tap, type TapEntry } from '@sluice/pipeline'
import Type, { type Static } from 'typebox'
import type { OperatorGate } from '../gate/access/operator-gate.ts'
import { type Area, createArea } from '../routing/area.ts'
import { workspaceQuery } from './operations/operations-schemas.ts'
import { entryStream, perSecond, streamEntries } from './stream-entries.ts'

export interface TapAreaOptions {
  readonly gate: OperatorGate
  readonly tap: Tap
}

const outcomes = ['accepted', 'delivered', 'deferred', 'dropped', 'failed'] as const
const tapQuery = Type.Object({
  ...workspaceQuery,
  source: Type.Optional(Type.String({ description: 'only events of this source' })),
  destination: Type.Optional(Type.String({ description: 'only what happens at this destination' })),
  event: Type.Optional(Type.String({ description: 'only events of this name' })),
  type: Type.Optional(Type.String({ description: 'only events of this type' })),
  outcome: Type.Optional(Type.Enum([...outcomes], { description: outcomes.join(', ') })),
  messageId: Type.Optional(Type.String({ description: 'only this event' })),
  perSecond,
  last: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: keptEntriesMax,
      description: `so many of the last entries that match come first, 1 to ${keptEntriesMax}; default none`,
    }),
  ),
})
type TapQuery = Static<typeof tapQuery>

/** `GET /v1/tap`: a live stream of what happens to events, as server-sent events without payloads. */
export function createTapArea({ gate, tap }: TapAreaOptions): Area {
  return createArea([
    gate({
      path: '/v1/tap',
      operationId: 'tapEvents',
      summary: 'Watch what happens to events, live',
      query: tapQuery,
      errors: ['tapsTooMany'],
      responses: {
        200: entryStream,
      },
      handle: ({ workspaces, query, signal }) => {
        const ids = workspaces.map(({ id }) => id)
        const { perSecond, last = 0 } = query
        const wanted = (entry: TapEntry) => isWanted(entry, query)
        const earlier = last === 0 ? [] : tap.last(ids, keptEntriesMax).filter(wanted).slice(-last)
        return streamEntries(
          tap,
          ids,
          { perSecond, earlier, shown: (entry) => wanted(entry) && shownEntry(entry) },
          signal,
        )
      },
    }),
  ])
}

function isWanted(entry: TapEntry, query: TapQuery): boolean {
  return (
    isSame(entry.sourceId, query.source) &&
    isSame(entry.destinationId, query.destination) &&
    isSame(entry.event, query.event) &&
    isSame(entry.type, query.type) &&
    isSame(entry.outcome, query.outcome) &&
    isSame(entry.messageId, query.messageId === undefined ? undefined : identifierText(query.messageId))
  )
}

function isSame(value: string | undefined, wanted: string | undefined): boolean {
  return wanted === undefined || value === wanted
}

/** Replaces the message of an error, which may quote a payload, by the fixed text of its code. */
function shownEntry({ at, code, ...entry }: TapEntry) {
  return { at: new Date(at).toISOString(), ...entry, ...(code ? { code, reason: errorTraits[code].summary } : {}) }
}
