import type { JsonObject, JsonValue } from '@sluice/core'
import type { DestinationDefinition } from '@sluice/destinations/kit'

/** Why settings of RudderStack's warehouses have no counterpart; the first that fits is the reason. */
const reasons: readonly (readonly [RegExp, string])[] = [
  [/^(useSSH|ssh)/, 'Sluice opens no SSH tunnel'],
  [/iam|^(cluster(Id|Region)|workgroup|useServerless)/i, 'Sluice signs in with a user and a password'],
  [/keyPair|^password$/, 'Sluice signs in with a key pair'],
  [/^(sync|excludeWindow|manualSync)/, 'a load begins after syncSeconds or syncEvents'],
  [
    /bucket|storage|^(accessKey|secretAccessKey|account|container|sas|useSAS|useSTS|enableSSE|roleBased|endPoint|prefix|cloudProvider|enableExternal|externalLocation|credentials|s3ForcePathStyle|useGlue|region)/i,
    'Sluice loads without a bucket',
  ],
]

/** What says how SDKs or parts of RudderStack send, which never concerns Sluice. */
const modeMembers = ['connectionMode', 'useNativeSDK', 'useNativeSDKToSend']

/** Returns which settings of an export are left out and why, one text for each reason. */
export function leftOutSettings(
  definition: DestinationDefinition,
  names: readonly string[],
  settings: JsonObject,
): readonly string[] {
  const byReason = new Map<string, string[]>()
  for (const name of names.filter((each) => !modeMembers.includes(each))) {
    const own = definition.load && reasons.find(([pattern]) => pattern.test(name))?.[1]
    const reason = isSet(settings[name]) ? (own ?? `${definition.type} has no such setting here`) : 'they say nothing'
    byReason.set(reason, [...(byReason.get(reason) ?? []), name])
  }
  // What is off or empty changes nothing.
  byReason.delete('they say nothing')
  return [...byReason].map(([reason, left]) => `settings left out, because ${reason}: ${left.join(', ')}`)
}

/** Returns why a warehouse cannot be reached as it is in the export. */
export function unreachable(settings: JsonObject): readonly string[] {
  return [
    ...(settings['useSSH'] === true
      ? ['it is reached through an SSH tunnel, which Sluice does not open; make it reachable, then enable it']
      : []),
    ...(settings['useIAMForAuth'] === true
      ? ['it signs in with a role of AWS; write host, user and password into its settings, then enable it']
      : []),
  ]
}

/** Whether a setting says something: exports list all settings, most with their defaults. */
export function isSet(value: JsonValue | undefined): boolean {
  if (value === undefined || value === null || value === '' || value === false) return false
  return typeof value !== 'object' || Object.keys(value).length > 0
}
