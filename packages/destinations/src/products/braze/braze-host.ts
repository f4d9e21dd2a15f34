const named: Readonly<Record<string, string>> = { us: 'iad', eu: 'fra' }

/**
 * The REST host of an instance of Braze; undefined when the name is none of an instance.
 *
 * Source: Braze docs, API overview (instances); recorded behaviour of RudderStack's braze destination.
 */
export function brazeHost(dataCenter: string): string | undefined {
  const [, region = '', number = ''] = /^([a-z]{2})-(\d\d)$/.exec(dataCenter.trim().toLowerCase()) ?? []
  if (region === '') return undefined
  // The first eight American instances are called after their airport, those after them after their country.
  const place = region === 'us' && Number(number) > 8 ? region : (named[region] ?? region)
  return `https://rest.${place}-${number}.braze.${region === 'eu' ? 'eu' : 'com'}`
}
