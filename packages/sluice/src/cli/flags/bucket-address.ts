import type { BucketAddress } from '../../bucket-ledger-place.ts'
import { CliError } from '../cli-error.ts'

/** A bucket in `--ledger`, whose key is in the environment, as for other programs that use S3. */
export function isBucketAddress(place: string): boolean {
  return /^s3:\/\//i.test(place)
}

/** @throws CliError that repeats no secret. */
export function bucketAddress(place: string, env: NodeJS.ProcessEnv): BucketAddress {
  const url = new URL(place)
  const bucket = url.hostname
  if (bucket === '' || url.username !== '' || url.password !== '')
    throw new CliError('--ledger: give a bucket as s3://bucket/prefix, and its key in AWS_ACCESS_KEY_ID')
  const unknown = [...url.searchParams.keys()].find((name) => name !== 'region' && name !== 'endpoint')
  if (unknown !== undefined) throw new CliError(`--ledger: a bucket has region and endpoint, not ${unknown}`)
  const endpoint = url.searchParams.get('endpoint') ?? undefined
  if (endpoint !== undefined && !/^https?:\/\/[^/]+\/?$/.test(endpoint))
    throw new CliError('--ledger: endpoint must be the address of a server, such as https://minio.shop.test')
  const given = url.searchParams.get('region') ?? env['AWS_REGION'] ?? env['AWS_DEFAULT_REGION']
  const region = given ?? (endpoint === undefined ? undefined : 'us-east-1')
  if (region === undefined) throw new CliError('--ledger: add ?region= to the bucket, or set AWS_REGION')
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = env
  if (!accessKeyId || !secretAccessKey)
    throw new CliError(
      '--ledger: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY to a key that may list, get, put and delete objects of the bucket',
    )
  if (env['AWS_SESSION_TOKEN'])
    throw new CliError(
      '--ledger: AWS_SESSION_TOKEN is set, and keys that end are not supported: give a key without a session token',
    )
  const prefix = decodeURIComponent(url.pathname).split('/').filter(Boolean).join('/')
  return { bucket, prefix, region, endpoint, accessKeyId, secretAccessKey }
}
