import { Icon } from '../signs/icon.tsx'

interface ChipProps {
  /** What is filtered, such as Source. */
  readonly name: string
  readonly value: string
  readonly onRemove: () => void
}

/** One filter that is set, and how to remove it. */
export function Chip({ name, value, onRemove }: ChipProps) {
  return (
    <span class="chip">
      <span>{name}</span>
      <b>{value}</b>
      <button type="button" class="bare" aria-label={`Remove ${name} ${value}`} onClick={onRemove}>
        <Icon name="x" />
      </button>
    </span>
  )
}
