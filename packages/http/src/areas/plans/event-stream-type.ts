import type { JsonValue } from '@sluice/core'

/** Types of sources that rudder-cli knows. */
const types = new Set([
  'java',
  'dotnet',
  'php',
  'flutter',
  'cordova',
  'rust',
  'react_native',
  'python',
  'ios',
  'android',
  'javascript',
  'go',
  'node',
  'ruby',
  'unity',
  'swift',
  'kotlin',
])

/** Names that Terraform's provider has for them, in lower case. */
const otherNames: Readonly<Record<string, string>> = {
  reactnative: 'react_native',
  ios_swift: 'swift',
  android_kotlin: 'kotlin',
}

/** Returns the name that rudder-cli has for a type of source; undefined for types that only Terraform's provider has. */
export function eventStreamType(type: JsonValue | undefined): string | undefined {
  const name = typeof type === 'string' ? type.toLowerCase() : ''
  const known = otherNames[name] ?? name
  return types.has(known) ? known : undefined
}
