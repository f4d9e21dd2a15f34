/** The part of the S3-compatible test server that tests use; it has no types of its own. */
declare module '@20minutes/s3rver' {
  export default class S3rver {
    constructor(options: {
      readonly address: string
      readonly port: number
      readonly silent: boolean
      readonly directory: string
      readonly vhostBuckets?: boolean
      readonly configureBuckets: readonly { readonly name: string }[]
    })
    run(): Promise<{ readonly port: number }>
    close(): Promise<void>
  }
}
