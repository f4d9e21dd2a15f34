import { countText } from '../../parts/format/count.tsx'
import { durationText } from '../../parts/format/duration-text.ts'
import { Time } from '../../parts/format/time.tsx'
import { Timeline } from '../../parts/page/timeline.tsx'
import { Legend } from '../../parts/signs/legend.tsx'
import { addressOf } from '../../shell/router.ts'
import { useHealth } from '../watch/use-health.ts'
import { nameIn, type WatchedPlaces } from '../watch/watched-places.ts'
import { AtDestination } from './at-destination.tsx'
import type { EventTrace } from './event-trace.ts'

interface JourneyProps {
  readonly trace: EventTrace
  readonly places: WatchedPlaces | undefined
}

/** What became of one event: when it was accepted, and for each destination how long it took and where it ended. */
export function Journey({ trace, places }: JourneyProps) {
  const { sourceId, acceptedAt, destinations } = trace
  const position = destinations.find((each) => each.position !== undefined)?.position
  const scaleMs = scaleOf(trace)
  const { circuits } = useHealth()
  const pending = destinations.filter((each) => each.position !== undefined).length
  const hasTries = destinations.some(({ tries }) => tries !== undefined && tries.length > 0)
  return (
    <div class="side-body">
      <div class="journey-pad">
        <Timeline
          label="How it came"
          moments={[
            {
              key: 'accepted',
              state: 'good',
              icon: 'check',
              text: (
                <>
                  Accepted from{' '}
                  <a href={addressOf('/live', { source: sourceId })}>{nameIn(places?.sources ?? [], sourceId)}</a>
                </>
              ),
              at: acceptedAt ? <Time at={acceptedAt} /> : undefined,
            },
            { key: 'passed', state: 'good', icon: 'shield-check', text: 'Not suppressed, and stored' },
            ...(position === undefined
              ? []
              : [
                  {
                    key: 'log',
                    state: 'wait' as const,
                    icon: 'database' as const,
                    text: `Waits in the log for ${pending === 1 ? '1 destination' : `${countText(pending)} destinations`}`,
                    note: `position ${countText(position)}`,
                  },
                ]),
          ]}
        />
      </div>
      <h3 class="side-title">
        What became of it{' '}
        {scaleMs === 0 ? null : <small>bars: 0 to {durationText(scaleMs)} after it was accepted</small>}
      </h3>
      <ul class="traces">
        {destinations.map((each) => (
          <AtDestination
            key={each.destinationId}
            trace={each}
            place={places?.destinations.find(({ id }) => id === each.destinationId)}
            name={nameIn(places?.destinations ?? [], each.destinationId)}
            circuit={circuits?.find(({ destinationId }) => destinationId === each.destinationId)}
            acceptedAt={acceptedAt}
            scaleMs={scaleMs}
          />
        ))}
      </ul>
      {destinations.length === 0 ? (
        <p class="side-note">Its source is connected with no destination.</p>
      ) : (
        <div class="journey-pad">
          <Legend
            items={[
              { state: 'good', text: 'until it was delivered' },
              { state: 'idle', text: 'filtered' },
              { state: 'bad', text: hasTries ? 'failed, or a try that failed' : 'failed' },
            ]}
          />
        </div>
      )}
    </div>
  )
}

/** Returns how long the slowest destination took, in milliseconds. */
function scaleOf({ acceptedAt, destinations }: EventTrace): number {
  if (acceptedAt === undefined) return 0
  const ends = destinations.flatMap(({ at, tries = [] }) => [
    ...(at === undefined ? [] : [Date.parse(at)]),
    ...tries.map((each) => Date.parse(each.at) + each.tookMs),
  ])
  return Math.max(0, ...ends.map((end) => end - Date.parse(acceptedAt)))
}
