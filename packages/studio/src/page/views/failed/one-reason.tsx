import { usePolled } from '../../api/polled.ts'
import { request } from '../../api/request.ts'
import { allows } from '../../api/session.ts'
import { JsonTree } from '../../parts/code/json-tree.tsx'
import { countText } from '../../parts/format/count.tsx'
import { ExactTime } from '../../parts/format/exact-time.tsx'
import { Time } from '../../parts/format/time.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Panel } from '../../parts/page/panel.tsx'
import { Skeleton } from '../../parts/page/skeleton.tsx'
import { Timeline } from '../../parts/page/timeline.tsx'
import { Icon } from '../../parts/signs/icon.tsx'
import { addressOf } from '../../shell/router.ts'
import { groupFilters, type LetterGroup, mendingPlaceOf, mendingPlaces, reasonText } from '../watch/letter-groups.ts'
import type { Place } from '../watch/watched-places.ts'
import type { LetterPage } from './dead-letter.ts'
import { DeleteLetters } from './delete-letters.tsx'
import { SendAgain } from './send-again.tsx'
import { Broken } from './steps/broken.tsx'
import { InCommon } from './steps/in-common-list.tsx'
import { TriedNow } from './steps/tried-now.tsx'

interface OneReasonProps {
  readonly group: LetterGroup
  /** Undefined when it was removed. */
  readonly destination: Place | undefined
  readonly onChanged: () => void
}

/** Events of a reason that are looked at: enough to see what they share. */
const lettersMax = 100

/** One reason in four steps: what broke, what its events have in common, a try with what is live now, and sending again. */
export function OneReason({ group, destination, onChanged }: OneReasonProps) {
  const { destinationId, code, reason, count, first, last } = group
  const query = new URLSearchParams({
    destinationId,
    code,
    reason,
    order: 'desc',
    masked: 'true',
    limit: String(lettersMax),
  })
  const { value, error } = usePolled(
    `failed-letters ${query} ${count}`,
    (signal) => request<LetterPage>(`/v2/dead-letters?${query}`, { signal }),
    0,
  ).state.value
  const letters = value?.data ?? []
  const choice = { destinationId, code, reason }
  const [newest] = letters
  const name = destination?.name ?? destinationId
  const place = mendingPlaces[mendingPlaceOf(code)]
  return (
    <Panel
      title={reasonText(reason)}
      kind="side one-reason"
      isFlush
      note={
        <>
          {count === 1 ? '1 event' : `${countText(count)} events`} for {name}, <Time at={first} />
          {first === last ? (
            ''
          ) : (
            <>
              {' '}
              to <Time at={last} />
            </>
          )}
          . Mended {place.name.toLowerCase()}.
        </>
      }
      actions={
        <a href={`/docs/errors/${code}`} target="_blank" rel="noreferrer">
          <code>{code}</code>
        </a>
      }
    >
      <div class="side-body">
        {error ? <Notice kind="bad">{error.message}</Notice> : null}
        {value === undefined ? (
          error ? null : (
            <Skeleton />
          )
        ) : (
          <div class="mend">
            <Timeline
              label="From the cause to sending again"
              moments={[
                {
                  key: 'broken',
                  state: 'bad',
                  icon: 'x',
                  text: <h3>What broke</h3>,
                  more: <Broken group={group} newest={newest} destination={destination} />,
                },
                {
                  key: 'common',
                  state: 'note',
                  icon: 'fingerprint-pattern',
                  text: <h3>What these events have in common</h3>,
                  more: <InCommon letters={letters} />,
                },
                {
                  key: 'tried',
                  state: 'good',
                  icon: 'flask-conical',
                  text: <h3>Tried with what is live now</h3>,
                  more: <TriedNow group={group} letters={letters} destination={destination} onChanged={onChanged} />,
                },
                {
                  key: 'send',
                  state: 'ink',
                  icon: 'send',
                  text: <h3>Send them again</h3>,
                  note: 'Who was suppressed since is left out. What fails again comes back here.',
                  more: (
                    <SendAgain
                      choice={choice}
                      count={count}
                      onDone={onChanged}
                      actions={<DeleteLetters choice={choice} count={count} onDone={onChanged} />}
                    />
                  ),
                },
              ]}
            />
          </div>
        )}
        {newest ? (
          <section aria-label="The newest of them">
            <h3 class="side-title">
              The newest of them{' '}
              <small>
                <ExactTime at={newest.at} />
              </small>
            </h3>
            <JsonTree label="The newest failed event, personal data masked" value={newest.event} />
            <div class="side-bar row">
              <a class="btn small ghost" href={addressOf(`/failed/${encodeURIComponent(newest.id)}`)}>
                <Icon name="eye" />
                {allows('write') ? 'Request, reply, personal data' : 'Request and reply'}
              </a>
              <a class="btn small ghost" href={addressOf(`/live/${encodeURIComponent(newest.messageId)}`)}>
                <Icon name="waypoints" />
                Its journey
              </a>
              <a class="btn small ghost" href={addressOf('/failed/list', groupFilters(group))}>
                {count === 1 ? 'As a list' : `All ${countText(count)}`}
              </a>
            </div>
          </section>
        ) : null}
      </div>
    </Panel>
  )
}
