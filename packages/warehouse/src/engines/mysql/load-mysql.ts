import { WarehouseError } from '../../load/warehouse-error.ts'

/** @throws WarehouseError when the package is not installed. */
export async function loadMysql(): Promise<Pick<typeof import('mysql2'), 'createConnection'>> {
  try {
    // Through a variable, because the package may be absent.
    const name = 'mysql2'
    const { default: mysql } = (await import(name)) as { readonly default: typeof import('mysql2') }
    return mysql
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code !== 'ERR_MODULE_NOT_FOUND' || !message.includes("'mysql2'")) throw error
    throw new WarehouseError('MySQL needs the package mysql2 beside Sluice: npm install mysql2.', 'MYSQL_MISSING')
  }
}
