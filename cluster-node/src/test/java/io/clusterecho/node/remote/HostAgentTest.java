package io.clusterecho.node.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import io.clusterecho.node.local.LocalFailure;
import io.clusterecho.node.local.MemberErrors;
import io.clusterecho.platform.BuildFacts;
import io.clusterecho.platform.MachineUse;
import io.clusterecho.settings.InvalidSettingException;

class HostAgentTest
{
    private final ObjectMapper mapper = new ObjectMapper();
    private final HostAgent agent = new HostAgent(mapper, null);

    @TempDir
    private Path dir;

    @AfterEach
    void closeAgent()
    {
        agent.close();
    }

    @Test
    void shouldTellItsBuildAndItsClock()
    {
        assertThat(agent.answer(request("hello")).at("/versions/aeron").asText())
            .isEqualTo(BuildFacts.versions().get("aeron"));
        final long beforeNs = System.nanoTime();
        final long nowNs = agent.answer(request("ping")).path("nowNs").asLong();
        assertThat(nowNs - beforeNs).isNotNegative();
    }

    @Test
    void shouldHaveLittleToSayOfAMemberThatWasNeverStarted() throws Exception
    {
        assertThat(agent.answer(request("settings")).isNull()).isTrue();
        assertThat(agent.answer(request("pid")).isNull()).isTrue();
        assertThat(agent.answer(request("log")).asBoolean()).isFalse();
        assertThat(mapper.treeToValue(agent.answer(request("errors")), MemberErrors.class).distinctCount()).isZero();
        assertThatThrownBy(() -> agent.answer(request("start")))
            .isInstanceOf(LocalFailure.class).hasMessageContaining(dir.toString());
    }

    @Test
    void shouldRefuseANetworkThatIsNotAsTheInventorySays()
    {
        assertThatThrownBy(() -> agent.answer(configure("192.0.2.1", "", 0)))
            .isInstanceOf(InvalidSettingException.class).hasMessageContaining("address=192.0.2.1");
        assertThatThrownBy(() -> agent.answer(configure("127.0.0.1", "eth77", 0)))
            .isInstanceOf(InvalidSettingException.class).hasMessageContaining("interface=eth77");
        assertThatThrownBy(() -> agent.answer(configure("127.0.0.1", "", 577)))
            .isInstanceOf(InvalidSettingException.class).hasMessageContaining("mtu=577");
        assertThat(dir.resolve("cluster")).doesNotExist();
    }

    @Test
    void shouldSendWhatTheOtherSideCanReadAgain() throws Exception
    {
        final JsonNode machine = agent.answer(request("machine"));
        assertThat(mapper.treeToValue(machine, MachineUse.class).userMs())
            .isBetween(-1L, MachineUse.now().userMs());
        assertThat(agent.answer(request("environment")).at("/machine/cpuCount").asInt()).isPositive();
    }

    @Test
    void shouldForgetWhatWasNeverThere()
    {
        assertThat(agent.answer(request("forget")).isNull()).isTrue();
        assertThat(Files.exists(dir.resolve("cluster"))).isFalse();
    }

    private ObjectNode configure(final String address, final String interfaceName, final int mtuLength)
    {
        final ObjectNode request = request("configure").put("address", address).put("interface", interfaceName);
        request.put("mtu", mtuLength).put("members", 1).putObject("settings");
        return request;
    }

    private ObjectNode request(final String what)
    {
        return mapper.createObjectNode().put("do", what).put("base", dir.resolve("cluster").toString()).put("member", 0);
    }
}
