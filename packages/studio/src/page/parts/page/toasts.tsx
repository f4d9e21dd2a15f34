import { signal } from '@preact/signals'
import type { EventState } from '../event-state.ts'
import { Icon } from '../signs/icon.tsx'

interface Toast {
  readonly id: number
  readonly state: EventState
  readonly text: string
}

/** How long a toast stays, in milliseconds; it is also read out. */
const shownMs = 6_000
const toastsMax = 3
const toasts = signal<readonly Toast[]>([])
let lastId = 0

/** Says at the foot of the page that something was done. What failed belongs beside its cause, in a `Notice`. */
export function showToast(text: string, state: EventState = 'good'): void {
  lastId += 1
  const id = lastId
  toasts.value = [...toasts.value, { id, state, text }].slice(-toastsMax)
  setTimeout(() => dismiss(id), shownMs)
}

function dismiss(id: number): void {
  toasts.value = toasts.value.filter((each) => each.id !== id)
}

/** The toasts, once in the frame. */
export function Toasts() {
  return (
    <div class="toasts" role="status">
      {toasts.value.map(({ id, state, text }) => (
        <div key={id} class={`toast ${state}`}>
          <Icon name={state === 'bad' ? 'circle-x' : 'circle-check'} />
          <span>{text}</span>
          <button type="button" class="ghost square small" aria-label="Dismiss" onClick={() => dismiss(id)}>
            <Icon name="x" />
          </button>
        </div>
      ))}
    </div>
  )
}
