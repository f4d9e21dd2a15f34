import { Meter } from '../../parts/charts/meter.tsx'
import type { EventState } from '../../parts/event-state.ts'
import { countText } from '../../parts/format/count.tsx'
import { addressOf } from '../../shell/router.ts'
import { groupFilters, type LetterGroup, reasonText } from '../watch/letter-groups.ts'
import type { WatchedHistory } from '../watch/watched-history.ts'
import { lossReasons } from './flow-lines.ts'

const kinds: Readonly<Record<string, { readonly word: string; readonly state: EventState }>> = {
  failed: { word: 'failed', state: 'bad' },
  dropped: { word: 'filtered', state: 'idle' },
  rejected: { word: 'malformed', state: 'bad' },
}

interface LossListProps {
  readonly history: WatchedHistory
  readonly filter: { readonly sourceId?: string; readonly destinationId?: string }
  /** Failed events that are kept: their reasons say more than the code of the counted one. */
  readonly groups?: readonly LetterGroup[]
  /** In place of an empty list. */
  readonly empty: string
}

/** Why events of a place did not arrive, the most frequent reason first. */
export function LossList({ history, filter, groups = [], empty }: LossListProps) {
  const reasons = lossReasons(history, filter).slice(0, 5)
  return (
    <>
      <h3>{reasons.length === 0 ? 'Nothing failed' : 'Why events did not arrive'}</h3>
      {reasons.length === 0 ? (
        <p class="soft">{empty}</p>
      ) : (
        <ul class="bars-list">
          {reasons.map(({ kind, reason, count }) => {
            const group =
              kind === 'failed'
                ? groups.find(({ destinationId, code }) => destinationId === filter.destinationId && code === reason)
                : undefined
            const text = (
              <>
                {group ? reasonText(group.reason) : reason}
                <small>{kinds[kind]?.word}</small>
              </>
            )
            return (
              <li key={`${kind} ${reason}`}>
                {kind === 'failed' && filter.destinationId !== undefined ? (
                  <a href={addressOf('/failed', group ? groupFilters(group) : { destination: filter.destinationId })}>
                    {text}
                  </a>
                ) : (
                  <span>{text}</span>
                )}
                <b>{countText(count)}</b>
                <Meter share={count / (reasons[0]?.count ?? 1)} state={kinds[kind]?.state ?? 'ink'} />
              </li>
            )
          })}
        </ul>
      )}
    </>
  )
}
