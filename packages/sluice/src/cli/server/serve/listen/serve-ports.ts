export interface AdminCredentials {
  readonly user: string
  readonly password: string
}

export interface ServePorts {
  readonly main: number
  readonly governance?: number
}
