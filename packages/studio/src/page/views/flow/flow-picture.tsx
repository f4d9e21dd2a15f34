import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Count } from '../../parts/format/count.tsx'
import { addressOf } from '../../shell/router.ts'
import type { Circuits } from '../destinations/circuit.tsx'
import { FlowCard } from './flow-card.tsx'
import type { FlowLine, FlowModel } from './flow-model.ts'

interface FlowPictureProps {
  readonly model: FlowModel
  readonly circuits: Circuits
  readonly rate: (kind: 'in' | 'out', line: FlowLine) => number | undefined
}

/** The pipeline from left to right: sources, suppression and log, destinations, with a line for each connection. */
export function FlowPicture({ model, rate, circuits }: FlowPictureProps) {
  const frame = useRef<HTMLDivElement>(null)
  const paths = useWires(frame, model)
  return (
    <div class="flow-picture" ref={frame}>
      <svg class="wires" aria-hidden="true">
        {paths.map(({ key, d }) => (
          <path key={key} d={d} />
        ))}
      </svg>
      <div class="flow-column">
        <h2>Sources</h2>
        {model.sources.map((line) => (
          <div key={line.place.id} data-out={line.place.id}>
            <FlowCard line={line} kind="source" rate={rate('in', line)} />
          </div>
        ))}
        {model.sources.length === 0 ? <p class="hint">There is no source yet.</p> : null}
      </div>
      <div class="flow-column middle">
        <h2>Suppression</h2>
        <section class="card flow-card" data-gate aria-label="suppression">
          <p>
            <a href={addressOf('/privacy')}>
              <Count value={model.suppressed} /> of <Count value={model.received} />
            </a>{' '}
            events were of suppressed users. They are not stored, not observed and not sent.
          </p>
          <p class="hint">
            All others go to the event log, the <a href={addressOf('/catalogue')}>catalogue</a>, and the destinations.
          </p>
        </section>
      </div>
      <div class="flow-column">
        <h2>Destinations</h2>
        {model.destinations.map((line) => (
          <div key={line.place.id} data-in={line.place.id}>
            <FlowCard line={line} kind="destination" rate={rate('out', line)} circuits={circuits} />
          </div>
        ))}
        {model.destinations.length === 0 ? <p class="hint">There is no destination yet.</p> : null}
      </div>
    </div>
  )
}

interface WirePath {
  readonly key: string
  readonly d: string
}

/** Returns a path per source to the gate, and per connected destination from it, where the cards are now. */
function useWires(frame: { readonly current: HTMLDivElement | null }, model: FlowModel): readonly WirePath[] {
  const [paths, setPaths] = useState<readonly WirePath[]>([])
  useLayoutEffect(() => {
    const root = frame.current
    if (root === null) return
    const draw = (): void => setPaths(wirePaths(root, new Set(model.wires.map(({ destinationId }) => destinationId))))
    const observer = new ResizeObserver(draw)
    observer.observe(root)
    draw()
    return () => observer.disconnect()
  }, [model.sources.length, model.destinations.length, model.wires.length])
  return paths
}

function wirePaths(root: HTMLElement, connected: ReadonlySet<string>): readonly WirePath[] {
  const origin = root.getBoundingClientRect()
  const gate = root.querySelector('[data-gate]')?.getBoundingClientRect()
  if (gate === undefined) return []
  const curve = (x1: number, y1: number, x2: number, y2: number): string => {
    const middle = (x1 + x2) / 2
    return `M${x1} ${y1} C${middle} ${y1} ${middle} ${y2} ${x2} ${y2}`
  }
  const middleOf = (box: DOMRect): number => box.top + box.height / 2 - origin.top
  const into = [...root.querySelectorAll<HTMLElement>('[data-out]')].map((card) => {
    const box = card.getBoundingClientRect()
    const d = curve(box.right - origin.left, middleOf(box), gate.left - origin.left, middleOf(gate))
    return { key: `out ${card.dataset['out']}`, d }
  })
  const from = [...root.querySelectorAll<HTMLElement>('[data-in]')].flatMap((card) => {
    if (!connected.has(card.dataset['in'] ?? '')) return []
    const box = card.getBoundingClientRect()
    return {
      key: `in ${card.dataset['in']}`,
      d: curve(gate.right - origin.left, middleOf(gate), box.left - origin.left, middleOf(box)),
    }
  })
  return [...into, ...from]
}
