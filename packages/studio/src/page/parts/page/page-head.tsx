import type { ComponentChildren } from 'preact'
import { Icon } from '../signs/icon.tsx'

interface PageHeadProps {
  readonly title: ComponentChildren
  /** One sentence or number that says how things are. */
  readonly note?: ComponentChildren
  /** Pages above this one, the topmost first. */
  readonly crumbs?: readonly { readonly text: string; readonly href: string }[]
  /** A pill beside the title. */
  readonly state?: ComponentChildren
  /** Buttons, or the choice of the range. */
  readonly actions?: ComponentChildren
}

/** The head of a view: where one is, what it is called, how it is, and what can be done. */
export function PageHead({ title, note, crumbs = [], state, actions }: PageHeadProps) {
  return (
    <header class="head">
      <div class="head-text">
        {crumbs.length === 0 ? null : (
          <nav class="crumbs" aria-label="Way here">
            {crumbs.map(({ text, href }) => (
              <span key={href}>
                <a href={href}>{text}</a>
                <Icon name="chevron-right" />
              </span>
            ))}
          </nav>
        )}
        <div class="head-title">
          <h1 tabIndex={-1}>{title}</h1>
          {state}
        </div>
        {note ? <p>{note}</p> : null}
      </div>
      {actions ? <div class="head-actions">{actions}</div> : null}
    </header>
  )
}
