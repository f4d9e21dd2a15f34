import { computed, signal } from '@preact/signals'
import { movedAddress } from './moved-address.ts'

/** Where the page is: the path below `/studio`, and the filters of the view. */
const place = signal(here())

/** Returns where the page is. An address of before is replaced by that of today, with its query. */
function here(): URL {
  const url = new URL(location.href)
  const today = movedAddress(url.pathname.replace(/^\/studio/, ''))
  if (today === undefined) return url
  url.pathname = `/studio${today}`
  history.replaceState(null, '', url)
  return url
}

addEventListener('popstate', () => {
  place.value = here()
})

/** Path below `/studio`, such as `/failed`. */
export const path = computed(() => place.value.pathname.replace(/^\/studio/, '') || '/')

/** Filters of the view, from the query of the address. */
export const filters = computed(() => Object.fromEntries(place.value.searchParams) as Readonly<Record<string, string>>)

/** Returns the address of a view with its filters; those without a value are left out. */
export function addressOf(view: string, given: Readonly<Record<string, string | undefined>> = {}): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(given)) if (value) query.set(name, value)
  const text = query.toString()
  return `/studio${view}${text === '' ? '' : `?${text}`}`
}

/** Goes to a view, as a link does. */
export function go(view: string, given: Readonly<Record<string, string | undefined>> = {}): void {
  history.pushState(null, '', addressOf(view, given))
  place.value = here()
  arrive()
}

/** As after loading a page: readers of the screen begin at the top of the view. */
function arrive(): void {
  scrollTo(0, 0)
  requestAnimationFrame(() =>
    (document.querySelector<HTMLElement>('main h1') ?? document.querySelector<HTMLElement>('main'))?.focus(),
  )
}

/** Changes filters of the view, without a new entry in the history. */
export function setFilters(changed: Readonly<Record<string, string | undefined>>): void {
  const view = path.value
  history.replaceState(null, '', addressOf(view, { ...filters.value, ...changed }))
  place.value = here()
}

/** Follows links to views of this page without loading it again. */
export function followLinks(root: HTMLElement): void {
  root.addEventListener('click', (event) => {
    if (
      event.defaultPrevented ||
      event.button !== 0 ||
      event.metaKey ||
      event.ctrlKey ||
      event.shiftKey ||
      event.altKey
    )
      return
    const link = event.target instanceof Element ? event.target.closest('a') : null
    if (!link || link.target || link.hasAttribute('download') || link.origin !== location.origin) return
    if (!link.pathname.startsWith('/studio/') || link.pathname.startsWith('/studio/assets/')) return
    event.preventDefault()
    history.pushState(null, '', link.href)
    place.value = here()
    arrive()
  })
}
