import { useState } from 'preact/hooks'
import { partOf, type TimeSeries, type TimeSlots, timeText } from './time-series.ts'

interface ReadingLineProps {
  readonly label: string
  readonly slots: TimeSlots
  readonly series: readonly TimeSeries[]
  readonly format: (value: number) => string
}

/** From this part of the width on, the card is left of the line. */
const turnsAt = 0.6
/** Slots that Page Up and Page Down go. */
const leap = 10

/**
 * A line over the whole plot that follows the pointer, and arrow keys when it has the focus, and says what is there. Screen
 * readers meet a slider whose value is the text of the slot.
 */
export function ReadingLine({ label, slots, series, format }: ReadingLineProps) {
  const [slot, setSlot] = useState<number>()
  const last = slots.count - 1
  const choose = (next: number): void => setSlot(Math.min(last, Math.max(0, next)))
  const onKeyDown = (event: KeyboardEvent): void => {
    const at = slot ?? last
    const next = {
      ArrowLeft: at - 1,
      ArrowDown: at - 1,
      ArrowRight: at + 1,
      ArrowUp: at + 1,
      PageDown: at - leap,
      PageUp: at + leap,
      Home: 0,
      End: last,
    }[event.key]
    if (event.key === 'Escape') setSlot(undefined)
    if (next === undefined) return
    event.preventDefault()
    choose(next)
  }
  const shown = slot ?? last
  const rows = series.map(({ name, state, values }) => ({ name, state, value: values[shown] }))
  const middle = slots.from + (shown + 0.5) * slots.everyMs
  const texts = rows.map(({ name, value }) => `${value === undefined ? 'nothing' : format(value)} ${name}`)
  const part = partOf(slots, middle)
  return (
    <div
      class="reading"
      role="slider"
      tabIndex={0}
      aria-label={`${label}, time`}
      aria-valuemin={0}
      aria-valuemax={last}
      aria-valuenow={shown}
      aria-valuetext={`${timeText(slots, shown)}: ${texts.join(', ')}`}
      onKeyDown={onKeyDown}
      onFocus={() => choose(shown)}
      onBlur={() => setSlot(undefined)}
      onPointerLeave={() => setSlot(undefined)}
      onPointerMove={(event) => {
        const { left, width } = event.currentTarget.getBoundingClientRect()
        choose(Math.floor(((event.clientX - left) / width) * slots.count))
      }}
    >
      {slot === undefined ? null : (
        <div class={`read${part > turnsAt ? ' to-left' : ''}`} style={{ left: `${part * 100}%` }}>
          <div>
            <b>{timeText(slots, slot)}</b>
            {rows.map(({ name, state }, n) => (
              <span key={name}>
                <i class={`swatch ${state}`} />
                {texts[n]}
              </span>
            ))}
          </div>
        </div>
      )}
    </div>
  )
}
