import { parseUrl } from '@sluice/core'
import type { SluiceOptions } from './sluice-options.ts'

/** Returns what is wrong with an address for others; undefined when nothing is. */
export function publicAddressProblem(text: string): string | undefined {
  const url = parseUrl(text)
  const isPlain = url !== undefined && /^https?:$/.test(url.protocol) && url.username === '' && url.password === ''
  if (isPlain && url.search === '' && url.hash === '' && !text.endsWith('/')) return undefined
  return 'must be an address such as https://cdp.shop.example, without user, query and a slash at its end'
}

/**
 * Creates a function that returns the address of the server for others, from the address of a request.
 * @throws RangeError when the address in the options cannot be one.
 */
export function createAddressOf({
  publicAddress,
  basePath = '',
}: Pick<SluiceOptions, 'publicAddress' | 'basePath'>): (url: string) => string {
  if (publicAddress === undefined) return (url) => `${new URL(url).origin}${basePath}`
  const problem = publicAddressProblem(publicAddress)
  if (problem !== undefined) throw new RangeError(`publicAddress ${problem}`)
  return () => publicAddress
}
