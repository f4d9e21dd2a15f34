import { describe, expect, it } from 'vitest'
import { bucketAddress } from './bucket-address.ts'

const key = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret-text' }

describe('the address of a bucket', () => {
  it.each([
    [
      's3://b/a/b/?region=eu-central-1',
      {},
      { bucket: 'b', prefix: 'a/b', region: 'eu-central-1', endpoint: undefined },
    ],
    ['s3://b', { AWS_REGION: 'eu-west-1' }, { bucket: 'b', prefix: '', region: 'eu-west-1', endpoint: undefined }],
    [
      's3://b/x%20y?endpoint=http://minio.test:9000',
      {},
      { bucket: 'b', prefix: 'x y', region: 'us-east-1', endpoint: 'http://minio.test:9000' },
    ],
  ])('%s', (place, env, address) => {
    const credentials = { accessKeyId: 'id', secretAccessKey: 'secret-text' }
    expect(bucketAddress(place, { ...key, ...env })).toEqual({ ...address, ...credentials })
  })

  it.each([
    ['s3://b?region=r', { AWS_ACCESS_KEY_ID: '' }, /set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY/],
    ['s3://b', {}, /add \?region= to the bucket, or set AWS_REGION/],
    ['s3://b?region=r', { AWS_SESSION_TOKEN: 't' }, /a key without a session token/],
    ['s3://b?regoin=r', {}, /not regoin/],
    ['s3://id:secret-text@b?region=r', {}, /give a bucket as s3:\/\/bucket\/prefix/],
    ['s3:///x?region=r', {}, /give a bucket as/],
    ['s3://b?endpoint=minio.test', {}, /endpoint must be the address of a server/],
  ])('refuses %s with %j, without its secrets', (place, env, message) => {
    const read = () => bucketAddress(place, { ...key, ...env })
    expect(read).toThrow(message)
    expect(read).not.toThrow(/secret-text/)
  })
})
