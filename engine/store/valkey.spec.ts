import { startValkeyBench, type ValkeyBench } from '../../test/valkey-place.ts';
import { storeContract } from './store.contract.ts';

describe('on a Valkey server', () => {
  let bench: ValkeyBench;
  before(async () => void (bench = await startValkeyBench()));
  after(() => bench.stop());

  storeContract('the store on Valkey', { persists: true, makePlace: () => bench.makePlace() });
});
