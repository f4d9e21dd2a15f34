import type { ComponentChildren } from 'preact'
import { Icon, type IconName } from '../signs/icon.tsx'

interface EmptyStateProps {
  readonly icon: IconName
  readonly title: string
  /** Why there is nothing, in a sentence or two. */
  readonly children: ComponentChildren
  /** The way out. */
  readonly action?: ComponentChildren
}

/** In place of a list or chart that has nothing to show. */
export function EmptyState({ icon, title, children, action }: EmptyStateProps) {
  return (
    <div class="empty">
      <Icon name={icon} />
      <h3>{title}</h3>
      <p>{children}</p>
      {action}
    </div>
  )
}
