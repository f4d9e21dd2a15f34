import { Icon } from '../signs/icon.tsx'

interface SearchFieldProps {
  readonly label: string
  readonly value: string
  readonly onInput: (text: string) => void
}

/** Filters a list while one writes. Its label is its placeholder, too. */
export function SearchField({ label, value, onInput }: SearchFieldProps) {
  return (
    <label class="input-icon">
      <span class="unseen">{label}</span>
      <Icon name="search" />
      <input
        type="search"
        value={value}
        placeholder={label}
        spellcheck={false}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
    </label>
  )
}
