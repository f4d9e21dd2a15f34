import { Spark } from '../../parts/charts/spark.tsx'
import { Count } from '../../parts/format/count.tsx'
import { addressOf } from '../../shell/router.ts'
import { CircuitLine, type Circuits } from '../destinations/circuit.tsx'
import type { FlowLine, Place } from './flow-model.ts'

const oneDigit = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 })

/** A source or a destination in the picture: its rate, its counts, and whether they add up. */
export function FlowCard({
  line,
  kind,
  rate,
  circuits,
}: {
  readonly line: FlowLine
  readonly kind: 'source' | 'destination'
  readonly rate: number | undefined
  /** Of destinations. */
  readonly circuits?: Circuits
}) {
  const { place, parts, whole, missing, history } = line
  const countOf = (part: string): number => parts.find(({ name }) => name === part)?.count ?? 0
  const failed = countOf('failed')
  const circuit = circuits?.of(place.id)
  const state = missing !== 0 ? 'wrong' : place.enabled ? '' : 'off'
  return (
    <section class={`card flow-card ${state}`} aria-label={`${kind} ${place.name}`}>
      <h3>
        <a href={addressOf('/live', { [kind]: place.id })}>{place.name}</a>
        {place.type ? <span class="hint"> {place.type}</span> : null}
        {place.enabled ? null : <span class="hint"> disabled</span>}
      </h3>
      <div class="row">
        <span class="rate">{rate === undefined ? '…' : `${oneDigit.format(rate)}/s`}</span>
        <Spark values={history} label={`${place.name}, events per 15 seconds in the last hour`} />
      </div>
      {kind === 'destination' ? <Stages place={place} /> : null}
      <dl>
        <div>
          <dt>{kind === 'source' ? 'received' : 'came'}</dt>
          <dd>
            <Count value={whole} />
          </dd>
        </div>
        {parts.map(({ name, count }) => (
          <div key={name} class={name === 'failed' && count > 0 ? 'in bad' : count === 0 ? 'hint' : ''}>
            <dt>{name}</dt>
            <dd>
              {name === 'failed' && failed > 0 ? (
                <a href={addressOf('/failed', { destination: place.id })}>
                  <Count value={count} />
                </a>
              ) : (
                <Count value={count} />
              )}
            </dd>
          </div>
        ))}
      </dl>
      {circuits && circuit ? (
        <CircuitLine circuit={circuit} name={place.name} pending={countOf('pending')} onChanged={circuits.refresh} />
      ) : null}
      {missing === 0 ? null : (
        <p class="in bad" role="alert">
          Does not add up: <Count value={Math.abs(missing)} /> events are {missing > 0 ? 'missing from' : 'too many in'}{' '}
          the parts.
        </p>
      )}
    </section>
  )
}

/** The stages between the log and a destination, in their order. */
function Stages({ place: { id, transformation } }: { readonly place: Place }) {
  return (
    <p class="hint">
      {transformation === undefined ? null : (
        <>
          {transformation.id === undefined ? (
            transformation.name
          ) : (
            <a href={addressOf(`/transformations/${encodeURIComponent(transformation.id)}`)}>{transformation.name}</a>
          )}
          {' → '}
        </>
      )}
      <a href={addressOf(`/destinations/${encodeURIComponent(id)}`)}>mapping</a>
      {' → '}
      delivery
    </p>
  )
}
