import { effect, signal } from '@preact/signals'

const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

const storageKey = 'sluice-theme'

function stored(): Theme {
  const found = localStorage.getItem(storageKey)
  return themes.find((each) => each === found) ?? 'system'
}

/** The chosen colours. The only thing that this page stores in the browser. */
export const theme = signal<Theme>(stored())

effect(() => {
  document.documentElement.dataset['theme'] = theme.value
  localStorage.setItem(storageKey, theme.value)
})
