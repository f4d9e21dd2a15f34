import { Count } from '../../parts/format/count.tsx'
import { Scroll } from '../../parts/scroll.tsx'
import type { FlowLine, FlowModel } from './flow-model.ts'

/** The same numbers as a table, with the reasons of what did not arrive. */
export function FlowTable({ model }: { readonly model: FlowModel }) {
  const reasons = [...model.sources, ...model.destinations].flatMap(({ place, parts }) =>
    parts.flatMap((part) => part.reasons.map(([reason, count]) => ({ place, part: part.name, reason, count }))),
  )
  return (
    <details>
      <summary>As tables</summary>
      <Lines caption="What sources sent" whole="received" lines={model.sources} />
      <Lines caption="What became of it at destinations" whole="came" lines={model.destinations} />
      <Scroll label="Reasons">
        <table>
          <caption>Why events were rejected, dropped or failed</caption>
          <thead>
            <tr>
              <th scope="col">where</th>
              <th scope="col">what</th>
              <th scope="col">why</th>
              <th scope="col" class="number">
                events
              </th>
            </tr>
          </thead>
          <tbody>
            {reasons.map(({ place, part, reason, count }) => (
              <tr key={`${place.id} ${part} ${reason}`}>
                <td>{place.name}</td>
                <td>{part}</td>
                <td>{reason}</td>
                <td class="number">
                  <Count value={count} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </details>
  )
}

function Lines({
  caption,
  whole,
  lines,
}: {
  readonly caption: string
  readonly whole: string
  readonly lines: readonly FlowLine[]
}) {
  const names = lines[0]?.parts.map(({ name }) => name) ?? []
  return (
    <Scroll label={caption}>
      <table>
        <caption>{caption}</caption>
        <thead>
          <tr>
            <th scope="col">name</th>
            {[whole, ...names].map((name) => (
              <th key={name} scope="col" class="number">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {lines.map(({ place, whole, parts, missing }) => (
            <tr key={place.id} class={missing === 0 ? '' : 'in bad'}>
              <th scope="row">{place.name}</th>
              {[{ name: 'whole', count: whole }, ...parts].map(({ name, count }) => (
                <td key={name} class="number">
                  <Count value={count} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  )
}
