import { countText } from '../../parts/format/count.tsx'
import { StateSentence } from '../../parts/page/state-sentence.tsx'
import { addressOf } from '../../shell/router.ts'
import type { Circuits } from '../destinations/circuit.tsx'
import type { FlowModel } from '../flow/flow-model.ts'
import { overviewNumbers } from './overview-numbers.ts'

interface OverviewStateProps {
  readonly model: FlowModel
  readonly circuits: Circuits
}

/** How everything is, in one sentence, and the next step: the worst that is known comes first. */
export function OverviewState({ model, circuits }: OverviewStateProps) {
  const { received, failed, waiting } = overviewNumbers(model)
  const places = [...model.sources, ...model.destinations]
  const unequal = places.filter(({ missing }) => missing !== 0).map(({ place }) => place.name)
  const named = (state: 'open' | 'paused') =>
    model.destinations.filter(({ place }) => circuits.of(place.id)?.state === state).map(({ place }) => place)
  const [broken, paused] = [named('open'), named('paused')]
  const [first] = [...broken, ...paused]
  if (first !== undefined)
    return (
      <StateSentence
        state={broken.length > 0 ? 'bad' : 'wait'}
        actions={
          <a class="btn" href={addressOf(`/destinations/${encodeURIComponent(first.id)}`)}>
            Look at {first.name}
          </a>
        }
      >
        <b>
          {broken.length > 0
            ? `${list(broken.map(({ name }) => name))} cannot be reached.`
            : `${list(paused.map(({ name }) => name))} ${paused.length === 1 ? 'is' : 'are'} paused.`}
        </b>{' '}
        <span>{countText(waiting)} events wait, and none is lost.</span>
      </StateSentence>
    )
  if (unequal.length > 0)
    return (
      <StateSentence
        state="bad"
        actions={
          <a class="btn" href={addressOf('/flow')}>
            See the sums
          </a>
        }
      >
        <b>The sums do not agree at {list(unequal)}.</b>
      </StateSentence>
    )
  if (failed > 0)
    return (
      <StateSentence
        state="wait"
        actions={
          <a class="btn" href={addressOf('/failed')}>
            See why
          </a>
        }
      >
        <b>All destinations can be reached.</b> <span>{countText(failed)} events have failed.</span>
      </StateSentence>
    )
  return (
    <StateSentence state="good">
      <b>All is well.</b>{' '}
      <span>{received === 0 ? 'No event has come yet.' : 'Every event is accounted for, and none has failed.'}</span>
    </StateSentence>
  )
}

/** Returns names in a sentence. */
function list(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}
