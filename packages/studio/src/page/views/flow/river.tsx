import './flow-node.css'
import type { CSSProperties } from 'preact'
import { Ribbons } from '../../parts/charts/ribbons.tsx'
import { countText } from '../../parts/format/count.tsx'
import { shareText } from '../../parts/format/share-text.ts'
import { Icon } from '../../parts/signs/icon.tsx'
import { LetterMark } from '../../parts/signs/letter-mark.tsx'
import { addressOf } from '../../shell/router.ts'
import { healthState } from '../watch/health-pill.tsx'
import type { DestinationLine, SourceLine } from './flow-lines.ts'
import { riverLayout } from './river-layout.ts'

interface RiverProps {
  readonly sources: readonly SourceLine[]
  readonly destinations: readonly DestinationLine[]
  /** What is shown below, such as `d crm`, `s web` or `log`. */
  readonly chosen: string
  readonly onChoose: (what: string) => void
  /** Length of the range in seconds. */
  readonly seconds: number
}

const oneDigit = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 })
const unitsInRem = 16

function rateText(perSecond: number): string {
  return perSecond < 0.1 ? `${oneDigit.format(perSecond * 60)} a minute` : `${oneDigit.format(perSecond)} a second`
}

/** The flow from left to right, as wide as its events. Each place is a button that shows more of it. */
export function River({ sources, destinations, chosen, onChoose, seconds }: RiverProps) {
  const layout = riverLayout(sources, destinations)
  const { height } = layout
  const at = (y: number): CSSProperties => ({ top: `${(y / height) * 100}%` })
  const all = [...layout.intoLog, ...layout.copies, ...layout.through, ...layout.outOfCode]
  const [, chosenId] = /^[ds] (.*)$/.exec(chosen) ?? []
  const strong = new Set(all.map(({ id }) => id).filter((id) => id.slice(0, id.lastIndexOf(' ')) === chosenId))
  const total = (name: 'accepted' | 'suppressed' | 'duplicates' | 'rejected'): number =>
    sources.reduce((sum, line) => sum + line[name], 0)
  return (
    <div class="river" style={{ height: `${height / unitsInRem}rem` }}>
      <div class="river-column">
        <h2>Sources</h2>
        {sources.map(({ place, received }, n) => (
          <button
            key={place.id}
            type="button"
            class="bare node"
            style={at(layout.sourceYs[n] ?? 0)}
            aria-pressed={chosen === `s ${place.id}`}
            onClick={() => onChoose(`s ${place.id}`)}
          >
            <span class="node-name">
              <Icon name="log-in" />
              <span>{place.name}</span>
            </span>
            <b>{countText(received)}</b>
            <small>{rateText(received / seconds)}</small>
          </button>
        ))}
      </div>
      <Ribbons height={height} ribbons={layout.intoLog} chosen={strong} />
      <div class="river-column">
        <h2>Event log</h2>
        <button
          type="button"
          class="bare node log"
          aria-pressed={chosen === 'log'}
          onClick={() => onChoose('log')}
          style={at(height / 2)}
        >
          <b>{countText(total('accepted'))}</b>
          <small>accepted</small>
        </button>
        <ul class="stopped" style={at(height / 2)}>
          <li>
            <i class="swatch guard" />
            <a href={addressOf('/privacy')}>{countText(total('suppressed'))} suppressed</a>
          </li>
          <li>
            <i class="swatch idle" />
            {countText(total('duplicates'))} came twice
          </li>
          <li>
            <i class="swatch bad" />
            {countText(total('rejected'))} malformed
          </li>
        </ul>
      </div>
      <div class="copies">
        <Ribbons height={height} ribbons={layout.copies} chosen={strong} />
      </div>
      <div class="river-column code-column">
        <h2>Transformations</h2>
        <Ribbons height={height} ribbons={layout.through} chosen={strong} />
        {destinations.map(({ place, sums }, n) =>
          place.transformation === undefined ? null : (
            <Gate key={place.id} code={place.transformation} style={at(layout.destinationYs[n] ?? 0)} sums={sums} />
          ),
        )}
      </div>
      <Ribbons height={height} ribbons={layout.outOfCode} chosen={strong} />
      <div class="river-column">
        <h2>Destinations</h2>
        {destinations.map((line, n) => (
          <Destination
            key={line.place.id}
            line={line}
            style={at(layout.destinationYs[n] ?? 0)}
            isChosen={chosen === `d ${line.place.id}`}
            onChoose={() => onChoose(`d ${line.place.id}`)}
          />
        ))}
      </div>
    </div>
  )
}

interface GateProps {
  readonly code: NonNullable<DestinationLine['place']['transformation']>
  readonly sums: DestinationLine['sums']
  readonly style: CSSProperties
}

function Gate({ code: { id, name }, sums: { filtered, came }, style }: GateProps) {
  const content = (
    <>
      <Icon name="code-xml" />
      <span>
        {name}
        <small>{shareText(filtered, came, 0)} filtered</small>
      </span>
    </>
  )
  return id === undefined ? (
    <span class="gate" style={style}>
      {content}
    </span>
  ) : (
    <a class="gate" style={style} href={addressOf(`/transformations/${encodeURIComponent(id)}`)}>
      {content}
    </a>
  )
}

interface DestinationProps {
  readonly line: DestinationLine
  readonly style: CSSProperties
  readonly isChosen: boolean
  readonly onChoose: () => void
}

function Destination({ line: { place, sums, circuit, members }, style, isChosen, onChoose }: DestinationProps) {
  const state = members > 1 ? 'ink' : healthState(circuit)
  return (
    <button
      type="button"
      class={`bare node wide${place.enabled ? '' : ' off'}${state === 'bad' ? ' failing' : ''}`}
      style={style}
      aria-pressed={isChosen}
      onClick={onChoose}
    >
      <span class="node-name">
        <LetterMark name={place.type || place.name} />
        <span>
          {place.name}
          <small>{place.type ?? ''}</small>
        </span>
        <i class={`dot ${state}`} />
      </span>
      <span class="node-facts">
        {place.enabled ? <b>{countText(sums.delivered)}</b> : <small>Off: {countText(sums.filtered)} passed by</small>}
        {sums.failed > 0 ? <span class="in bad">{countText(sums.failed)} failed</span> : null}
        {sums.waiting > 0 ? <span class="in wait">{countText(sums.waiting)} wait</span> : null}
      </span>
    </button>
  )
}
