import './flow.css'
import { usePolled } from '../../api/polled.ts'
import { Notice } from '../../parts/notice.tsx'
import { useCircuits } from '../destinations/circuit.tsx'
import { type FlowModel, flowModel } from './flow-model.ts'
import { FlowPicture } from './flow-picture.tsx'
import { FlowTable } from './flow-table.tsx'
import { readCounts, readHistory, readSetup } from './read-flow.ts'
import { useRates } from './use-rates.ts'

/** How often each part is read, in milliseconds. */
const countsEveryMs = 2_000
const historyEveryMs = 15_000
const setupEveryMs = 10_000

/** The pipeline as a picture, with live rates and sums that are checked. */
export function FlowView() {
  const setup = usePolled('setup', readSetup, setupEveryMs).state.value
  const counts = usePolled('counts', readCounts, countsEveryMs).state.value
  const history = usePolled('history', readHistory, historyEveryMs).state.value
  const circuits = useCircuits()
  const model: FlowModel | undefined =
    setup.value && counts.value
      ? flowModel({ ...setup.value, ...counts.value, points: history.value?.points ?? [] })
      : undefined
  const rate = useRates(model, counts.at)
  const error = setup.error ?? counts.error ?? history.error
  const wrong = [...(model?.sources ?? []), ...(model?.destinations ?? [])].filter(({ missing }) => missing !== 0)
  return (
    <>
      {error ? (
        <Notice kind="bad">
          {error.message}{' '}
          {model === undefined ? 'It is tried again every few seconds.' : 'What is shown is from before.'}
        </Notice>
      ) : null}
      {model === undefined ? (
        error ? null : (
          <p aria-busy="true" class="hint">
            Reading …
          </p>
        )
      ) : (
        <>
          <Notice kind={wrong.length === 0 ? 'good' : 'bad'}>
            {wrong.length === 0
              ? 'Every event is accounted for: at each source and destination the parts add up to the whole.'
              : `The sums do not agree at: ${wrong.map(({ place }) => place.name).join(', ')}.`}
          </Notice>
          <FlowPicture model={model} rate={rate} circuits={circuits} />
          <FlowTable model={model} />
        </>
      )}
    </>
  )
}
