import { BalanceBar } from '../../../parts/charts/balance-bar.tsx'
import { countText } from '../../../parts/format/count.tsx'
import { Panel } from '../../../parts/page/panel.tsx'
import { Skeleton } from '../../../parts/page/skeleton.tsx'
import { addressOf } from '../../../shell/router.ts'
import type { Circuits } from '../circuit.tsx'
import type { Destination } from '../records.ts'
import { Answers } from './answers.tsx'
import { CircuitPanel } from './circuit-panel.tsx'
import { destinationNumbers } from './destination-numbers.ts'
import { Delays, Delivered, Oldest } from './health-charts.tsx'
import { type History, useHistory } from './history.ts'

interface DestinationHealthProps {
  readonly destination: Destination
  readonly circuit: ReturnType<Circuits['of']>
  readonly range: string
  readonly onChanged: () => Promise<void>
}

const rangeTexts: Readonly<Record<string, string>> = {
  '1h': 'the last hour',
  '24h': 'the last 24 hours',
  '7d': 'the last 7 days',
}

/** How well a destination receives: now, and over the chosen range. */
export function DestinationHealth({ destination, circuit, range, onChanged }: DestinationHealthProps) {
  const history = useHistory(range)
  const { id } = destination
  return (
    <div class="stack">
      <div class="grid main-side stretch">
        <CircuitPanel destination={destination} circuit={circuit} onChanged={onChanged} />
        {history ? <Sums history={history} destination={destination} range={rangeTexts[range] ?? range} /> : null}
      </div>
      {history ? (
        <div class="grid two stretch">
          <Delivered history={history} id={id} transformationId={destination.transformation?.id} />
          <Oldest history={history} id={id} />
          <Delays history={history} id={id} />
          <Answers history={history} id={id} />
        </div>
      ) : (
        <Skeleton isTall />
      )}
    </div>
  )
}

interface SumsProps {
  readonly history: History
  readonly destination: Destination
  readonly range: string
}

/** Events of before the range may end within it, so that what ended is the whole. */
function Sums({ history, destination: { id, name, transformation }, range }: SumsProps) {
  const { came, ended, delivered, filtered, failed } = destinationNumbers(history, id)
  return (
    <Panel
      title="What became of its events"
      note={`In ${range}`}
      foot={
        <>
          <span>{countText(came)} came meanwhile</span>
          <a href={addressOf('/flow')}>In the flow</a>
        </>
      }
    >
      <BalanceBar
        label={`${name}, ${range}`}
        title="Ended"
        whole={ended}
        isSlim
        parts={[
          { name: 'Delivered', value: delivered, state: 'good' },
          {
            name: transformation ? `Filtered, most by ${transformation.name}` : 'Filtered',
            value: filtered,
            state: 'idle',
          },
          { name: 'Failed', value: failed, state: 'bad', href: addressOf('/failed', { destination: id }) },
        ]}
      />
    </Panel>
  )
}
