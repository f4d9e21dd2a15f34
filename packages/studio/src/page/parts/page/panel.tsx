import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'

interface PanelProps {
  readonly title: ComponentChildren
  /** One line below the title. */
  readonly note?: ComponentChildren
  /** Buttons and links beside the title. */
  readonly actions?: ComponentChildren
  readonly foot?: ComponentChildren
  /** Without space around the content, for tables and lists that reach the edges. */
  readonly isFlush?: boolean
  /** Further classes, such as `side`. */
  readonly kind?: string
  readonly children: ComponentChildren
}

/** A part of a page with a title of its own. */
export function Panel({ title, note, actions, foot, isFlush, kind = '', children }: PanelProps) {
  const id = useId()
  return (
    <section class={`panel ${kind}`} aria-labelledby={id}>
      <header class="panel-head">
        <div>
          <h2 id={id}>{title}</h2>
          {note ? <p>{note}</p> : null}
        </div>
        {actions ? <div class="row">{actions}</div> : null}
      </header>
      {isFlush ? children : <div class="panel-body stack">{children}</div>}
      {foot ? <footer class="panel-foot">{foot}</footer> : null}
    </section>
  )
}
