import { Icon, type IconName } from '../../../../parts/signs/icon.tsx'

/** What of a row may have the focus. */
export type RowPart = 'cell' | 'up' | 'down'

interface RowToolsProps {
  /** Name of the row, such as Headers 2. */
  readonly name: string
  readonly isFirst: boolean
  readonly isLast: boolean
  readonly onMove: (step: -1 | 1, part: RowPart) => void
  readonly onRemove: () => void
}

/** Buttons that move and remove a row. */
export function RowTools({ name, isFirst, isLast, onMove, onRemove }: RowToolsProps) {
  return (
    <span class="row-tools">
      {isFirst && isLast ? null : (
        <>
          <Tool
            part="up"
            icon="arrow-up"
            label={`Move ${name} up`}
            keys="Alt+ArrowUp"
            isOff={isFirst}
            onClick={() => onMove(-1, 'up')}
          />
          <Tool
            part="down"
            icon="arrow-down"
            label={`Move ${name} down`}
            keys="Alt+ArrowDown"
            isOff={isLast}
            onClick={() => onMove(1, 'down')}
          />
        </>
      )}
      <Tool part="remove" icon="x" label={`Remove ${name}`} isOff={false} onClick={onRemove} />
    </span>
  )
}

interface ToolProps {
  readonly part: string
  readonly icon: IconName
  readonly label: string
  readonly keys?: string
  readonly isOff: boolean
  readonly onClick: () => void
}

function Tool({ part, icon, label, keys, isOff, onClick }: ToolProps) {
  return (
    <button
      type="button"
      class="ghost square small"
      data-part={part}
      aria-label={label}
      aria-keyshortcuts={keys}
      title={keys === undefined ? label : `${label} (${keys})`}
      disabled={isOff}
      onClick={onClick}
    >
      <Icon name={icon} />
    </button>
  )
}

/** Returns what of a row gets the focus: its other mover where it is at the end, and the one that was used is off. */
export function focusableOf(row: Element | null, part: RowPart): HTMLElement | undefined {
  const found =
    part === 'cell'
      ? row?.querySelector<HTMLElement>('input, select, textarea')
      : (row?.querySelector<HTMLElement>(`[data-part="${part}"]:enabled`) ??
        row?.querySelector<HTMLElement>('[data-part]:enabled'))
  return found ?? undefined
}
