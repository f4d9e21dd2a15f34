import type { ComponentChildren } from 'preact'

interface ToggleProps {
  readonly label: string
  readonly help?: ComponentChildren
  readonly isOn: boolean
  readonly isDisabled?: boolean
  readonly onChange: (isOn: boolean) => void
}

/** Something that is on or off, and changes at once. */
export function Toggle({ label, help, isOn, isDisabled, onChange }: ToggleProps) {
  return (
    <label class="toggle">
      <input
        type="checkbox"
        role="switch"
        aria-checked={isOn}
        checked={isOn}
        disabled={isDisabled}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <i aria-hidden="true" />
      <span>
        {label}
        {help ? <span class="help">{help}</span> : null}
      </span>
    </label>
  )
}
