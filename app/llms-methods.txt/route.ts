import { mount } from '../../lib/server';

export { mount as GET, mount as HEAD, mount as OPTIONS };
