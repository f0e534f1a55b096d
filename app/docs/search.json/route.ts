import { mount } from '../../../lib/next-mount';

export { mount as GET, mount as HEAD, mount as OPTIONS };
