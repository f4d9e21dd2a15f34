import type { SettingsProblem } from '@sluice/destinations/kit'

/**
 * Settings that RudderStack accepts without a usable value, by type: keys where a role is used there, placeholders, and
 * options that work differently here. A destination with such a value is stored and does nothing until it has one.
 */
const unfinished: Readonly<Record<string, readonly string[]>> = {
  BIGQUERY: ['credentials'],
  FACEBOOK_PIXEL: ['accessToken'],
  FIREHOSE: ['accessKeyID', 'accessKey'],
  EVENTBRIDGE: ['accessKeyID', 'accessKey'],
  GOOGLEPUBSUB: ['credentials'],
  ITERABLE: ['packageName'],
  KAFKA: ['convertToAvro'],
  KINESIS: ['accessKeyID', 'accessKey'],
  POSTHOG: ['yourInstance'],
  REDIS: ['address'],
  REDSHIFT: ['host', 'password'],
  S3: ['accessKeyID', 'accessKey'],
  S3_DATALAKE: ['accessKeyID', 'accessKey', 'region'],
  SNOWFLAKE: ['privateKey', 'account'],
  TIKTOK_ADS: ['accessToken'],
}

/** Returns whether a destination with these problems is stored all the same: see `unfinished`. */
export function isUnfinished(type: string, problems: readonly SettingsProblem[]): boolean {
  const names = unfinished[type] ?? []
  return problems.every(({ path }) => names.includes(/^[^.[]*/.exec(path)?.[0] ?? ''))
}
