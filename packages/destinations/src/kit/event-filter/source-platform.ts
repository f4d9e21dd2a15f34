/** Kinds of sources that RudderStack distinguishes in settings, with the types of sources that are of each kind. */
const typesByPlatform: Readonly<Record<string, readonly string[]>> = {
  web: ['web', 'javascript'],
  android: ['android', 'androidjava', 'androidkotlin'],
  ios: ['ios', 'iosswift', 'iosobjectivec'],
  reactnative: ['reactnative'],
  flutter: ['flutter'],
  unity: ['unity'],
  cordova: ['cordova'],
  amp: ['amp'],
  cloud: ['cloud', 'go', 'java', 'node', 'nodejs', 'php', 'python', 'ruby', 'rust', 'net', 'dotnet'],
  warehouse: ['warehouse'],
  cloudsource: ['cloudsource'],
  shopify: ['shopify'],
}

const platforms: ReadonlyMap<string, string> = new Map(
  Object.entries(typesByPlatform).flatMap(([platform, types]) => types.map((type) => [type, platform] as const)),
)

/**
 * Returns the kind of source that a source type (`Javascript`) or a member of settings (`web`) means, in any case;
 * undefined when it is not known.
 */
export function sourcePlatform(name: string | undefined): string | undefined {
  return name === undefined ? undefined : platforms.get(name.toLowerCase().replaceAll(/[^a-z]/g, ''))
}
