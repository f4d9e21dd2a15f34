import { Icon, type IconName } from '../parts/signs/icon.tsx'
import { type Theme, theme } from './theme.ts'

const choices: readonly { readonly value: Theme; readonly label: string; readonly icon: IconName }[] = [
  { value: 'light', label: 'Light', icon: 'sun' },
  { value: 'dark', label: 'Dark', icon: 'moon' },
  { value: 'system', label: 'As the system', icon: 'monitor' },
]

/** Chooses the colours. */
export function ThemeSwitch() {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out in a line in all browsers.
    <div class="themes" role="group" aria-label="Colours">
      {choices.map(({ value, label, icon }) => (
        <button
          key={value}
          type="button"
          class="bare"
          aria-label={label}
          title={label}
          aria-pressed={theme.value === value}
          onClick={() => (theme.value = value)}
        >
          <Icon name={icon} />
        </button>
      ))}
    </div>
  )
}
