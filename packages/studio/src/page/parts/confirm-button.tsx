import type { ComponentChildren } from 'preact'
import { useId, useRef } from 'preact/hooks'

interface ConfirmButtonProps {
  readonly text: string
  /** What will happen, and to how many. */
  readonly question: ComponentChildren
  /** The button that does it, such as "Delete 12 events". */
  readonly confirm: string
  readonly isDanger?: boolean
  readonly isDisabled?: boolean
  readonly onConfirm: () => void
}

/** A button that says what it will do before it does it. */
export function ConfirmButton({ text, question, confirm, isDanger, isDisabled, onConfirm }: ConfirmButtonProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  const close = (): void => dialog.current?.close()
  return (
    <>
      <button
        type="button"
        class={isDanger ? 'danger' : ''}
        disabled={isDisabled}
        onClick={() => dialog.current?.showModal()}
      >
        {text}
      </button>
      <dialog ref={dialog} aria-labelledby={id}>
        <p id={id}>{question}</p>
        <div class="row">
          <button
            type="button"
            class={isDanger ? 'danger main' : 'main'}
            onClick={() => {
              close()
              onConfirm()
            }}
          >
            {confirm}
          </button>
          <button type="button" onClick={close}>
            Cancel
          </button>
        </div>
      </dialog>
    </>
  )
}
