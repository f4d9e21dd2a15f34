import { expect, it } from 'vitest'
import { builtInDestinations } from './built-in-destinations.ts'
import { loadableDestinations, loadDestination } from './load-destination.ts'

it('loads every built-in destination by itself, under its own names', async () => {
  const loaded = await Promise.all(loadableDestinations.map(({ load }) => load()))
  expect(loaded).toEqual(builtInDestinations)
  const names = builtInDestinations.map(({ type, displayName }) => ({ type, displayName }))
  expect(loadableDestinations.map(({ type, displayName }) => ({ type, displayName }))).toEqual(names)
})

it('finds a type in any case, and none that does not exist', async () => {
  expect((await loadDestination('webhook'))?.type).toBe('WEBHOOK')
  expect(await loadDestination('nope')).toBeUndefined()
})
