import { usePolled } from '../../../api/polled.ts'
import { request } from '../../../api/request.ts'
import { countText } from '../../../parts/format/count.tsx'
import { shareText } from '../../../parts/format/share-text.ts'
import { Skeleton } from '../../../parts/page/skeleton.tsx'
import type { DeadLetter } from '../dead-letter.ts'
import { inCommon } from './in-common.ts'

interface Recorded {
  readonly data: readonly { readonly event: Readonly<Record<string, unknown>> }[]
}

/** What the events of a reason share, compared with recorded events of the same names. */
export function InCommon({ letters }: { readonly letters: readonly DeadLetter[] }) {
  const { value, error } = usePolled(
    'failed-recorded',
    (signal) => request<Recorded>('/v2/recorded-events?limit=500', { signal }),
    0,
  ).state.value
  if (error) return <p class="hint">Recorded events to compare with cannot be read: {error.message}</p>
  if (value === undefined) return <Skeleton lines={1} />
  const ids = new Set(letters.map(({ messageId }) => messageId))
  const names = new Set(letters.map(({ event }) => nameOf(event)))
  const others = value.data
    .map(({ event }) => event)
    .filter((event) => names.has(nameOf(event)) && !ids.has(String(event['messageId'])))
  if (others.length === 0) return <p class="soft">The log has no other events of the same name to compare them with.</p>
  const traits = inCommon(
    letters.map(({ event }) => event),
    others,
  )
  if (traits.length === 0)
    return (
      <p class="soft">
        Nothing stands out: their members and values look like those of {countText(others.length)} recorded events of
        the same name.
      </p>
    )
  return (
    <>
      <p class="soft">Compared with {countText(others.length)} recorded events of the same name.</p>
      <ul class="commons">
        {traits.map(({ path, what, isValue, count, shareOfOthers }) => (
          <li key={`${path} ${what}`}>
            <code>{path}</code>
            <span>
              {what === 'there' ? (
                'is there'
              ) : isValue ? (
                <>
                  is <q>{what}</q>
                </>
              ) : what === 'missing' ? (
                'is missing'
              ) : (
                `is ${what}`
              )}{' '}
              in{' '}
              <b>
                {countText(count)} of {countText(letters.length)}
              </b>
            </span>
            <span class="hint">in {shareText(shareOfOthers, 1, 0)} of others</span>
          </li>
        ))}
      </ul>
    </>
  )
}

function nameOf(event: Readonly<Record<string, unknown>>): string {
  return `${String(event['type'])} ${String(event['event'] ?? event['name'] ?? '')}`
}
