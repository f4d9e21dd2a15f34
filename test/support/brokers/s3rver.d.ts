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
    /** What handles a request, the outermost first. */
    readonly middleware: ((context: S3Context, next: () => Promise<void>) => Promise<void>)[]
    run(): Promise<{ readonly port: number }>
    close(): Promise<void>
  }

  export interface S3Context {
    readonly method: string
    readonly path: string
    readonly req: import('node:http').IncomingMessage
    readonly res: import('node:http').ServerResponse
    status: number
  }
}
