import type { Page } from 'playwright-core'

/** The views of the studio by the names in its navigation, with their paths. */
export const studioViews = {
  Overview: '',
  Flow: 'flow',
  'Live events': 'live',
  'Failed events': 'failed',
  Sources: 'sources',
  Transformations: 'transformations',
  Destinations: 'destinations',
  Catalogue: 'catalogue',
  Warehouse: 'warehouse',
  Privacy: 'privacy',
  Server: 'server',
  Changes: 'changes',
} as const

export type StudioView = keyof typeof studioViews

/** Returns what the link of a view is called: its name, and a number where there is one. */
export function linkName(view: string): RegExp {
  return new RegExp(`^${view}( [\\d,]+)?$`)
}

/** Opens a view from the navigation, and waits for its title. */
export async function openView(page: Page, view: StudioView): Promise<void> {
  await page
    .getByRole('navigation', { name: 'Views' })
    .getByRole('link', { name: linkName(view) })
    .click()
  await page.getByRole('heading', { name: view, level: 1, exact: true }).waitFor()
}

/** Chooses the colours of the page. */
export async function chooseColours(page: Page, theme: 'light' | 'dark'): Promise<void> {
  await page
    .getByRole('group', { name: 'Colours' })
    .getByRole('button', { name: new RegExp(theme, 'i') })
    .click()
}
