import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import { Icon } from '../signs/icon.tsx'

interface DialogProps {
  readonly title: string
  readonly note?: ComponentChildren
  readonly isOpen: boolean
  /** Called for Escape, the cross, and a click beside the dialog. */
  readonly onClose: () => void
  readonly children: ComponentChildren
  /** Buttons, what it does last; a first child with the class `left` stands on the left. */
  readonly foot?: ComponentChildren
}

/** A dialog over the page. The focus stays inside, and returns to where it was when the dialog closes. */
export function Dialog({ title, note, isOpen, onClose, children, foot }: DialogProps) {
  const own = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    if (isOpen) own.current?.showModal()
    else own.current?.close()
  }, [isOpen])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape does what a click beside the dialog does.
    <dialog
      ref={own}
      aria-labelledby={id}
      onClose={onClose}
      onClick={(event) => {
        if (event.target === own.current) onClose()
      }}
    >
      {isOpen ? (
        <>
          <header class="dialog-head">
            <div>
              <h2 id={id}>{title}</h2>
              {note ? <p>{note}</p> : null}
            </div>
            <button type="button" class="ghost square small" aria-label="Close" onClick={onClose}>
              <Icon name="x" />
            </button>
          </header>
          <div class="dialog-body">{children}</div>
          {foot ? <footer class="dialog-foot">{foot}</footer> : null}
        </>
      ) : null}
    </dialog>
  )
}
