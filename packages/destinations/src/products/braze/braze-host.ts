const named: Readonly<Record<string, string>> = { us: 'iad', eu: 'fra' }

/**
 * Returns the REST host of a Braze instance; undefined for an invalid name.
 *
 * Source: Braze docs, API overview (instances); recorded behaviour of RudderStack's braze destination.
 */
export function brazeHost(dataCenter: string): string | undefined {
  const [, region = '', number = ''] = /^([a-z]{2})-(\d\d)$/.exec(dataCenter.trim().toLowerCase()) ?? []
  if (region === '') return undefined
  // Hosts of the first eight US instances are named after an airport, later ones after the country.
  const place = region === 'us' && Number(number) > 8 ? region : (named[region] ?? region)
  return `https://rest.${place}-${number}.braze.${region === 'eu' ? 'eu' : 'com'}`
}
