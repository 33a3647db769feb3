Third-party software in cluster-node.jar, load-client.jar and peers.jar: coordinates, licences, home page.
The folder licenses/ has the licences and notices that the jars of these libraries contain, and the published licences of
those that contain none. The text of Apache-2.0 is in the file LICENSE.

<#list dependencyMap as entry>
<#assign dependency = entry.getKey()>
<#if dependency.groupId != "io.clusterecho">
${dependency.groupId}:${dependency.artifactId}:${dependency.version} | <#list entry.getValue() as licence>${licence}<#sep>; </#sep></#list> | ${dependency.url!"no home page"}
</#if>
</#list>

Software that these dependencies contain in turn: coordinates, licence, where it is.

com.esotericsoftware.reflectasm:reflectasm | BSD-3-Clause | in kryo
io.dropwizard.metrics:metrics-core | Apache-2.0 | in ratis-thirdparty-misc
io.dropwizard.metrics:metrics-jmx | Apache-2.0 | in ratis-thirdparty-misc
io.dropwizard.metrics:metrics-jvm | Apache-2.0 | in ratis-thirdparty-misc
io.netty:netty-codec | Apache-2.0 | in ratis-thirdparty-misc, as is the rest of Netty 4.1; also in grpc-netty-shaded
io.netty:netty-tcnative-boringssl-static | Apache-2.0 | in ratis-thirdparty-misc and grpc-netty-shaded, with BoringSSL
io.netty:netty-tcnative-classes | Apache-2.0 | in ratis-thirdparty-misc and grpc-netty-shaded
io.netty:netty-transport-classes-kqueue | Apache-2.0 | in ratis-thirdparty-misc
io.netty:netty-transport-native-kqueue | Apache-2.0 | in ratis-thirdparty-misc
org.jctools:jctools-core | Apache-2.0 | in netty-common and ratis-thirdparty-misc
org.ow2.asm:asm | BSD-3-Clause | in kryo
