import { useState } from 'preact/hooks'
import { Scroll } from '../../scroll.tsx'
import { type TimeSeries, type TimeSlots, timeText } from './time-series.ts'

interface ChartTableProps {
  readonly label: string
  readonly slots: TimeSlots
  readonly series: readonly TimeSeries[]
  readonly format: (value: number) => string
}

/** The numbers of a chart as a table, made when it is opened. */
export function ChartTable({ label, slots, series, format }: ChartTableProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details class="chart-table" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        As a table<span class="unseen">: {label}</span>
      </summary>
      {isOpen ? (
        <Scroll label={`${label}, table`}>
          <table>
            <thead>
              <tr>
                <th scope="col">Time</th>
                {series.map(({ name }) => (
                  <th key={name} scope="col" class="number">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {Array.from({ length: slots.count }, (_, slot) => (
                <tr key={slot}>
                  <th scope="row">{timeText(slots, slot)}</th>
                  {series.map(({ name, values: { [slot]: value } }) => (
                    <td key={name} class="number">
                      {value === undefined ? '–' : format(value)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      ) : null}
    </details>
  )
}
